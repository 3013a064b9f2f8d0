import { statfsSync } from 'node:fs';
import { leases } from './choose.ts';
import { CONFIRMED, type Fault, failed } from './fault.ts';

/** A file system above this size is nobody's scratch: it is not filled. */
const LARGEST_MIB = 64;

/** The disk that the store lies on is full; then there is room again. */
export const diskFull: Fault = {
  name: 'disk-full',
  does: 'fills the file system that the store lies on, for a time, and makes room again',
  more: `Nobody but root may mount, but inside a user namespace everybody is root: \`unshare -Urm sh -c 'mount -t tmpfs -o size=8m tmpfs /mnt && npx fencepost run disk-full --set faults.options.disk-full.folder=/mnt'\`. The mount goes with the command. Where user namespaces are switched off, an administrator has to make the file system. What is filled is only the file \`fencepost-filler\` beside the store; a run that is ended by force leaves it there.`,
  needs: `a file system of its own of at most ${LARGEST_MIB} MiB (\`faults.options.disk-full.folder\`), such as a small tmpfs`,
  confirmedBy: 'the file system says that it has no room left',
  healedBy: 'the filler is deleted, and the file system says that it has room again',
  cannotShow: 'a disk that fails to sync (power loss), or a quota of the user',
  target: 'store',
  unmet: ({ scenario }) => {
    const folder = scenario.faults!.options['disk-full'].folder;
    const fix = `Mount one and name it: \`unshare -Urm sh -c 'mount -t tmpfs -o size=8m tmpfs /mnt && npx fencepost run ${scenario.name} --set faults.options.disk-full.folder=/mnt'\`; or set \`faults.disk-full: 0\`.`;
    const why = 'The fault fills a whole file system, so it must be one that nobody else needs.';
    const refuse = (what: string) => ({ level: 'refusal' as const, what, why, fix });
    if (folder === undefined)
      return refuse(
        '`faults.disk-full` has a weight, and `faults.options.disk-full.folder` names no file system to fill.',
      );
    const size = sizeMib(folder);
    if (size === undefined) return refuse(`There is no folder \`${folder}\`.`);
    if (size <= LARGEST_MIB) return undefined;
    return refuse(
      `Expected \`${folder}\` to lie on a file system of at most ${LARGEST_MIB} MiB, got one of ${Math.round(size)} MiB.`,
    );
  },
  begin(_targets, context) {
    const { store, id } = context;
    return {
      async inject() {
        await store.fillDisk(id);
        return true;
      },
      confirm: async () =>
        store.hasRoom() ? failed('it was filled, and the file system says that it has room') : CONFIRMED,
      last: () => context.sleep(leases(context.plan.options['disk-full'].leases, context)),
      heal: () => store.emptyDisk(id),
      confirmHealed: async () =>
        store.hasRoom() ? CONFIRMED : failed('the filler was deleted, and the file system is still full'),
    };
  },
};

function sizeMib(folder: string): number | undefined {
  try {
    const { bsize, blocks } = statfsSync(folder);
    return (bsize * blocks) / 2 ** 20;
  } catch {
    return undefined;
  }
}
