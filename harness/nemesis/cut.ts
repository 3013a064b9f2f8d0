/** Workers that kill or stop themselves at a given step of a call, because they were ordered to: `stall` and `crash-point`. */
import type { Member } from '../process/crew.ts';
import { CONFIRM_MS } from '../process/crew.ts';
import type { CutOrder } from '../worker/job.ts';
import { pauseMs } from './choose.ts';
import {
  CONFIRMED,
  type Fault,
  type FaultContext,
  failed,
  type Injection,
  missed,
  type Seen,
} from './fault.ts';
import { hasEnded, heal, order } from './ordered.ts';
import { respawned } from './respawn.ts';

/** A call of the wanted kind comes within this time, or not: then it was missed. */
const REACH_MS = 3_000;

export function cutting(worker: Member, context: FaultContext, what: CutOrder): Injection {
  const { crew, notes, id } = context;
  const stoodThere = (): boolean => notes.cutOf(id, worker.incarnation) !== undefined;
  let next: readonly Member[] = [];
  let isRunning = true;
  return {
    inject() {
      // Its death will be ours, though no signal of ours comes from outside.
      if (what.cut === 'kill') worker.child.expected = true;
      return order(worker, context, what);
    },
    async confirm() {
      const until = (): boolean => stoodThere() || worker.child.exit !== undefined || context.stop.aborted;
      await context.until(until, REACH_MS);
      // It may have died a moment before its last record was read.
      if (!stoodThere() && worker.child.exit) await context.until(stoodThere, LAST_WORD_MS);
      return stoodThere() ? struck(worker, context, what) : missed(`no ${nameOf(what)} came in time`);
    },
    last: () => (what.cut === 'stop' ? context.sleep(pauseMs(context)) : Promise.resolve()),
    async heal() {
      if (!stoodThere() && !worker.child.exit) {
        heal(worker, context);
        await context.until(() => stoodThere() || notes.hasEnded(id, worker.incarnation), CONFIRM_MS);
        // It came there all the same, before it read that it need not.
        if (stoodThere()) await struck(worker, context, what);
      }
      if (worker.child.exit) next = [crew.spawn(worker.label, 'respawn', worker)];
      else if (worker.state === 'stopped') isRunning = await crew.resume(worker);
      worker.child.expected = false;
    },
    async confirmHealed() {
      if (next.length > 0) return respawned(next, crew);
      if (!isRunning) return failed('SIGCONT was sent, and the kernel still shows the state T');
      return stoodThere() ? CONFIRMED : hasEnded(worker, context);
    },
  };
}

/** A record that was written just before a death is read soon after it. */
const LAST_WORD_MS = 500;

const nameOf = ({ op, boundary }: CutOrder): string => `${op ?? 'call'} at ${boundary}`;

/** What the kernel shows of a worker that stands at its crash point. */
async function struck(worker: Member, { crew }: FaultContext, what: CutOrder): Promise<Seen> {
  const seen =
    what.cut === 'kill' ? await worker.child.waitForExit(CONFIRM_MS) : await crew.seeStopped(worker);
  if (!seen)
    return failed(`it stood at ${nameOf(what)}, and was not ${what.cut === 'kill' ? 'killed' : 'stopped'}`);
  return { ...CONFIRMED, detail: `${nameOf(what)}, ${what.cut}` };
}

/** `unmet` of a fault that acts inside of transactions. */
export const needsPausePoints =
  (name: string): NonNullable<Fault['unmet']> =>
  ({ declares, scenario }) =>
    declares.pausePoints
      ? undefined
      : {
          level: 'refusal',
          what: `The store \`${scenario.store}\` declares no \`pausePoints\`, and the scenario asks \`${name}\` to act inside of a transaction.`,
          why: 'From outside nobody knows when a worker is inside a transaction.',
          fix: 'Call `options.pausePoint(name)` inside each write transaction of the store module and declare `pausePoints: true`, or leave the fault out.',
        };
