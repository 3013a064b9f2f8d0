/** What every judgement rests on, in words. Pure. */
import type { Declares } from '../store-module/declares.ts';

/** One sentence for each assumption. */
export function assumptions(declares: Declares): string[] {
  const { clock, clockDrift, clockStepMs, grainMs } = declares;
  const bounds = [
    clockDrift > 0 ? `drifts by at most ${clockDrift * 100} %` : '',
    clockStepMs > 0 ? `steps by at most ${clockStepMs} ms` : '',
    grainMs > 0 ? `rounds by at most ${grainMs} ms` : '',
  ].filter((bound) => bound !== '');
  return [
    'All records were stamped by the monotonic clock of one host.',
    `The clock that ends leases is \`${clock}\`${bounds.length > 0 ? `; it ${bounds.join(', ')}` : ''}.`,
    `The store declares fencing \`${declares.fencing}\`, tokens \`${declares.tokens}\` and late calls \`${declares.lateCalls}\`.`,
    declares.embedded
      ? 'The store runs inside its worker: a call of a process that is gone cannot act any more.'
      : 'A call without an answer may act at any time later.',
    declares.definiteErrors.length > 0
      ? `Errors with these codes had no effect: ${declares.definiteErrors.join(', ')}. Any other error may have had one.`
      : 'An error that does not say it was definite may have had an effect.',
  ];
}
