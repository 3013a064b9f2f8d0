/** How a stop is confirmed and undone, whoever sent the signal. */
import type { Member } from '../process/crew.ts';
import { CONFIRMED, type FaultContext, failed, type Injection, missed, type Seen } from './fault.ts';

export function stopping(
  target: Member,
  { crew }: FaultContext,
): Pick<Injection, 'confirm' | 'heal' | 'confirmHealed'> {
  let isRunning = false;
  return {
    confirm: async () => ((await crew.seeStopped(target)) ? CONFIRMED : notStopped(target)),
    async heal() {
      isRunning = await crew.resume(target);
    },
    confirmHealed: async () =>
      isRunning ? CONFIRMED : failed('SIGCONT was sent, and the kernel still shows the state T'),
  };
}

/** Why a process was not seen to stop: somebody else may have ended it meanwhile, which is no failure of the fault. */
export const notStopped = ({ child }: Pick<Member, 'child'>): Seen =>
  child.exit === undefined
    ? failed('SIGSTOP was sent, and the kernel shows no state T')
    : missed('the process ended before it was seen to stop');
