import type { Member } from '../process/crew.ts';
import { CONFIRM_MS } from '../process/crew.ts';
import type { KillKind } from '../scenario/scenario.ts';
import { between, oneOf, preferWriter } from './choose.ts';
import { type Candidates, CONFIRMED, type Fault, type FaultContext, failed, missed } from './fault.ts';
import { pickBy } from './pick.ts';
import { respawned } from './respawn.ts';

/** SIGKILL to workers, best to those that hold a lease or are writing: nobody cleans up, the lease has to run out. */
export const kill: Fault = {
  name: 'kill',
  does: 'ends workers by SIGKILL (a holder, anybody, several, all, or one that is starting); others take their places',
  needs: 'nothing',
  confirmedBy: 'the exit of each by SIGKILL, after our signal; of one that is starting, before it was ready',
  healedBy: 'new incarnations that are ready',
  cannotShow: 'loss of what was not yet on the disk: the operating system keeps its pages (power loss)',
  target: 'workers',
  choose(candidates, context) {
    const { members, room } = candidates;
    switch (kindOf(context)) {
      case 'holder': {
        const one = freshestHolder(members, context);
        return one && [one];
      }
      case 'all':
        return everybody(candidates, context);
      case 'burst':
        return some(members, Math.min(room, context.plan.options.kill.burst), context);
      default: {
        const one = oneOf(members, context);
        return one && [one];
      }
    }
  },
  begin(targets, context) {
    const { crew } = context;
    const kind = kindOf(context);
    /** Those that the last signal went to. */
    let hit: readonly Member[] = [];
    const strike = (members: readonly Member[]): boolean => {
      hit = members.filter((member) => crew.signal(member, 'SIGKILL'));
      return hit.length > 0;
    };
    return {
      async inject() {
        if (kind === 'holder') await letLeaseRun(targets[0]!, context);
        if (!strike(targets)) return false;
        if (kind !== 'starting') return true;
        // The next life is what is hit: while it loads its store.
        await Promise.all(hit.map((member) => member.child.waitForExit(CONFIRM_MS)));
        const born = hit.map((member) => crew.spawn(member.label, 'respawn', member));
        await context.sleep(between(START_MS, context.draw('start')));
        return strike(born);
      },
      async confirm() {
        const gone = await Promise.all(hit.map((member) => member.child.waitForExit(CONFIRM_MS)));
        if (!gone.every(Boolean)) return failed('SIGKILL was sent, and no exit was seen');
        const late = kind === 'starting' && hit.every((member) => member.ready);
        return late ? missed('it was ready before the signal came') : CONFIRMED;
      },
      heal() {
        hit = hit.map((member) => crew.spawn(member.label, 'respawn', member));
      },
      confirmHealed: () => respawned(hit, crew),
    };
  },
};

/** When a starting process is killed after it was given its job, ms: it opens its store in that time. */
const START_MS = { min: 0, max: 15 };
/** Of its lease, so much must be left that the exit is seen before the end, on a busy machine too. */
const SHARE_LEFT = 0.5;
/** "All at once" waits so long for workers that are under another fault, in leases. */
const WAIT_FOR_ALL = 4;

const kindOf = (context: FaultContext): KillKind =>
  pickBy(context.plan.options.kill.who, context.draw('who'));

/** The one whose lease lasts longest. With none that lasts long enough, it is waited for one lease, then anybody will do. */
function freshestHolder(members: readonly Member[], context: FaultContext): Member | undefined {
  const { leases, leaseMs, waitedMs } = context;
  if (!context.usesLeases) return preferWriter(members, context);
  const left = members.map((member) => leases.remainingMs(member.incarnation));
  const most = Math.max(...left);
  if (most >= SHARE_LEFT * leaseMs) return members[left.indexOf(most)];
  return waitedMs < leaseMs ? undefined : oneOf(members, context);
}

/** Every worker that is under no other fault. `untouched` is put aside: that is what the scenario asked for. */
function everybody(
  { free }: Candidates,
  { crew, waitedMs, leaseMs }: FaultContext,
): readonly Member[] | undefined {
  const isWhole = free.length === crew.present.length;
  return free.length > 0 && (isWhole || waitedMs > WAIT_FOR_ALL * leaseMs) ? free : undefined;
}

/** So many neighbours, from a place that is drawn. */
function some(
  members: readonly Member[],
  count: number,
  context: FaultContext,
): readonly Member[] | undefined {
  if (count < 1) return undefined;
  const first = Math.floor(context.draw('target') * members.length);
  return Array.from({ length: count }, (_, i) => members[(first + i) % members.length]!);
}

/** Stops the worker, so that no heartbeat renews its lease, until the drawn share of it is over. */
async function letLeaseRun(member: Member, context: FaultContext): Promise<void> {
  const { crew, leases, leaseMs, plan } = context;
  const { at } = plan.options.kill;
  const share = at[Math.floor(context.draw('at') * at.length)];
  if (share === undefined || !leases.holds(member.incarnation)) return;
  if (!crew.signal(member, 'SIGSTOP') || !(await crew.seeStopped(member))) return;
  await context.until(() => leases.remainingMs(member.incarnation) <= (1 - share) * leaseMs, leaseMs);
}
