import { oneHolder, pauseMs } from './choose.ts';
import type { Fault } from './fault.ts';
import { stopping } from './stopping.ts';

/** SIGSTOP for longer than the lease, then SIGCONT: the holder wakes up as a zombie and does not know it. */
export const pause: Fault = {
  name: 'pause',
  does: 'stops a worker (SIGSTOP) for longer than its lease, then lets it go on (SIGCONT)',
  needs: 'nothing',
  confirmedBy: 'the process state T, read from the kernel',
  healedBy: 'SIGCONT, and a process state other than T',
  cannotShow: 'two processes that run at the same time under one name (twin)',
  target: 'workers',
  choose: oneHolder,
  begin: ([target], context) => ({
    inject: () => context.crew.signal(target!, 'SIGSTOP'),
    ...stopping(target!, context),
    last: () => context.sleep(pauseMs(context)),
  }),
};
