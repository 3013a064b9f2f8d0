/** How a stop is confirmed and undone, whoever sent the signal. */
import type { Member } from '../process/crew.ts';
import { CONFIRMED, type FaultContext, failed, type Injection } from './fault.ts';

export function stopping(
  target: Member,
  { crew }: FaultContext,
): Pick<Injection, 'confirm' | 'heal' | 'confirmHealed'> {
  let isRunning = false;
  return {
    confirm: async () =>
      (await crew.seeStopped(target))
        ? CONFIRMED
        : failed('SIGSTOP was sent, and the kernel shows no state T'),
    async heal() {
      isRunning = await crew.resume(target);
    },
    confirmHealed: async () =>
      isRunning ? CONFIRMED : failed('SIGCONT was sent, and the kernel still shows the state T'),
  };
}
