/** What each accusation rests on, in words. Pure. */
import type { Declares } from '../store-module/declares.ts';
import type { GuaranteeId } from './guarantee.ts';

/** The declarations that a guarantee's accusations use. */
export function assumedBy(guarantee: GuaranteeId, declares: Declares): string[] {
  switch (guarantee) {
    case 'S1':
      return [`the store declares ${declares.tokens} tokens`];
    case 'S2':
      return [ONE_CLOCK, `the store declares ${declares.tokens} tokens`];
    case 'S3':
      return [ONE_CLOCK, ...clock(declares), fencing(declares), lateCalls(declares)];
    case 'S4':
    case 'S14':
    case 'S15b':
      return [ONE_CLOCK, fencing(declares)];
    case 'S15a':
      return [ONE_CLOCK, fencing(declares), `the store declares ${declares.tokens} tokens`];
    case 'S4c':
    case 'S5':
      return [fencing(declares), retention(declares)];
    case 'S12':
      return ['every grant counts as an attempt', refunds(declares)];
    case 'S21':
      return [ONE_CLOCK, ...clock(declares), fencing(declares)];
    case 'S11':
      return [ONE_CLOCK, ...clock(declares), fencing(declares), lateCalls(declares)];
    case 'S6':
    case 'S7':
    case 'S19':
      return [ONE_CLOCK, `the store declares reads ${declares.reads}`, retention(declares)];
    case 'S8':
      return [ONE_CLOCK, `the store declares items ${declares.items}`];
    case 'S9':
      return ["the store's answers, or its error table, which says what had no effect"];
    case 'S10':
      return [ONE_CLOCK, retention(declares)];
    case 'S16':
      return [
        ONE_CLOCK,
        `the store declares reads ${declares.reads}`,
        'the namespace was empty at the start',
      ];
    case 'L1':
    case 'L2':
      return [
        ONE_CLOCK,
        ...clock(declares),
        `the store looks for lapsed leases every ${declares.reapIntervalMs} ms`,
      ];
    case 'L3':
    case 'L4':
      return ["the supervisor's account of what it did to the workers, and when"];
    case 'S17':
      return [ONE_CLOCK, `the store declares order ${declares.order}`];
    case 'P7':
      return [ONE_CLOCK, ...clock(declares)];
    case 'P2':
    case 'P4':
      return [ONE_CLOCK];
    case 'P1':
    case 'P3':
    case 'P5':
    case 'P6':
    case 'P8':
    case 'S20':
      return [];
    case 'S22':
      return [ONE_CLOCK];
    case 'S13':
      return declares.grainMs > 0 ? [`the store's clock rounds by at most ${declares.grainMs} ms`] : [];
  }
}

const ONE_CLOCK = 'one host clock';
const fencing = ({ fencing: kind }: Declares): string => `the store declares ${kind} fencing`;
const lateCalls = ({ lateCalls: kind }: Declares): string => `late calls are ${kind}`;
const refunds = ({ releaseRefundsAttempt }: Declares): string =>
  releaseRefundsAttempt ? 'a release may give its attempt back' : 'a release gives no attempt back';
const retention = ({ retentionMs }: Declares): string =>
  retentionMs === 'forever' ? 'finished items stay for ever' : `finished items stay ${retentionMs} ms`;

function clock({ clock: kind, grainMs, clockStepMs, clockDrift }: Declares): string[] {
  const bounds = [
    grainMs > 0 ? `rounds by at most ${grainMs} ms` : '',
    clockStepMs > 0 ? `steps by at most ${clockStepMs} ms` : '',
    clockDrift > 0 ? `drifts by at most ${clockDrift * 100} %` : '',
  ].filter((bound) => bound !== '');
  return [`leases end by a ${kind} clock${bounds.length > 0 ? ` that ${bounds.join(', ')}` : ''}`];
}
