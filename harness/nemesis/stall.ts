import { oneHolder } from './choose.ts';
import { cutting, needsPausePoints } from './cut.ts';
import type { Fault } from './fault.ts';

/** SIGSTOP to a worker inside its write transaction: it has the lock, and nobody can write until it wakes. */
export const stall: Fault = {
  name: 'stall',
  does: 'stops a worker (SIGSTOP) inside a write transaction for longer than its lease: every writer of the store has to wait',
  needs: 'a store that declares `pausePoints`',
  confirmedBy: "the worker's record of the place, and the process state T, read from the kernel",
  healedBy: 'SIGCONT, and a process state other than T',
  cannotShow: 'a broken promise by itself: a store that waits is slow, not wrong',
  target: 'workers',
  unmet: needsPausePoints('stall'),
  choose: oneHolder,
  begin: ([target], context) =>
    cutting(target!, context, {
      id: context.id,
      fault: 'stall',
      boundary: 'in-transaction',
      cut: 'stop',
      skip: Math.floor(context.draw('skip') * 3),
    }),
};
