import { type Fault, preferHolder } from './fault.ts';

/** SIGSTOP for longer than the lease, then SIGCONT: the holder wakes up as a zombie and does not know it. */
export const pause: Fault = {
  name: 'pause',
  does: 'stops a worker (SIGSTOP) for longer than its lease, then lets it go on (SIGCONT)',
  confirmedBy: 'the process state T, read from the kernel',
  healedBy: 'SIGCONT, and a process state other than T',
  cannotShow: 'two processes that run at the same time under one name (twin)',
  choose: preferHolder,
  async inject(target, { crew, note, pauseMs, sleep }) {
    note('act');
    if (!crew.signal(target, 'SIGSTOP')) {
      note('confirm', 'missed', 'it was gone already');
      return 'missed';
    }
    const stopped = await crew.seeStopped(target);
    note('confirm', stopped ? 'confirmed' : 'failed');
    if (stopped) await sleep(pauseMs);
    note('heal');
    const running = await crew.resume(target);
    note('healed', running ? 'confirmed' : 'failed');
    return stopped && running ? 'confirmed' : 'failed';
  },
};
