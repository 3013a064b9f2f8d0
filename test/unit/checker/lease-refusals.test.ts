import { describe } from 'vitest';
import { testSituations } from '../../support/guarantee-table.ts';

describe('S21 no spurious refusal', () => {
  testSituations([
    {
      name: 'S21 - refused while the lease stood - violated',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.complete('k', { at: [5, 6], generation: 1, answer: 'stale' });
      },
      broken: ['S21'],
    },
    {
      name: 'S21 - renewed, and refused within the renewed lease (M08) - violated',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.heartbeat('k', { at: [6, 7], generation: 1 });
        w1.complete('k', { at: [14, 15], generation: 1, answer: 'expired' });
      },
      broken: ['S21'],
    },
    {
      name: 'S21 - answered at the first possible end of the lease - valid',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.complete('k', { at: [5, 10], generation: 1, answer: 'expired' });
      },
    },
    {
      name: 'S21 - within the lease, but for the grain of the clock - valid',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.complete('k', { at: [5, 8], generation: 1, answer: 'expired' });
      },
      declares: { grainMs: 2 },
    },
    {
      name: "S21 - beside a shorter renewal of another's token, which ends nothing - violated",
      write: ({ w1, w2 }) => {
        w2.claim('k', { at: [0, 1], token: 'a' });
        w1.claim('k', { at: [12, 12], token: 'b' });
        w2.heartbeat('k', { at: [12, 12], token: 'a', leaseMs: 6, extendMs: 6 });
        w1.complete('k', { at: [13, 13], token: 'b', answer: 'stale' });
      },
      declares: { tokens: 'opaque' },
      broken: ['S21'],
    },
    {
      name: 'S21 - sent before the grant was answered - valid',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 5], generation: 1 });
        w1.heartbeat('k', { at: [5, 6], generation: 1, answer: 'not-held', lane: 1 });
      },
    },
    {
      name: 'S21 - released before - valid',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.release('k', { at: [2, 3], generation: 1 });
        w1.complete('k', { at: [5, 6], generation: 1, answer: 'not-held' });
      },
    },
    {
      name: 'S21 - a completion without an answer - valid',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.complete('k', { at: 2, generation: 1 });
        w1.complete('k', { at: [5, 6], generation: 1, answer: 'completed', lane: 1 });
      },
    },
    {
      name: 'S21 - force-released meanwhile - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w2.forceRelease('k', { at: [2, 7] });
        w1.complete('k', { at: [5, 6], generation: 1, answer: 'not-held' });
      },
    },
    {
      name: 'S21 - reacquired by the same owner - valid',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.claim('k', { at: 2, reacquire: true });
        w1.complete('k', { at: [5, 6], generation: 1, answer: 'stale', lane: 1 });
      },
    },
    {
      name: 'S21 - a renewal without an answer may have shortened, or re-keyed, the lease - valid',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.heartbeat('k', { at: 2, generation: 1 });
        w1.complete('k', { at: [5, 6], generation: 1, answer: 'stale', lane: 1 });
      },
    },
    {
      name: 'S21 - called under the token before the renewal - valid',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 1], token: 'a' });
        w1.heartbeat('k', { at: [2, 3], token: 'a', renewed: 'a2' });
        w1.complete('k', { at: [5, 6], token: 'a', answer: 'stale' });
      },
      declares: { tokens: 'opaque' },
    },
    {
      name: 'S21 - called under the renewed token - violated',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 1], token: 'a' });
        w1.heartbeat('k', { at: [2, 3], token: 'a', renewed: 'a2' });
        w1.complete('k', { at: [5, 6], token: 'a2', answer: 'stale' });
      },
      declares: { tokens: 'opaque' },
      broken: ['S21'],
    },
    {
      name: 'S21 - a definite failure is no refusal - valid',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.complete('k', { at: [5, 6], generation: 1, answer: 'fail' });
      },
    },
    {
      name: 'S21 - the store does not fence - not judged',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.complete('k', { at: [5, 6], generation: 1, answer: 'stale' });
      },
      declares: { fencing: 'none' },
    },
    { name: 'S21 - no history - valid', write: () => {} },
  ]);
});

describe('S14 foreign release refused, and what follows from it', () => {
  testSituations([
    {
      name: 'S14 - the third holder comes early (M17) - violated',
      write: ({ w1, w2, w3 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w2.claim('k', { at: [12, 13], generation: 2 });
        w1.release('k', { at: [14, 15], generation: 1 });
        w3.claim('k', { at: [16, 17], generation: 3 });
      },
      broken: ['S3', 'S14'],
    },
    {
      name: 'S14 - a release after the end of its lease, before anybody else has it - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.release('k', { at: [12, 13], generation: 1 });
        w2.claim('k', { at: [14, 15], generation: 2 });
      },
    },
  ]);
});
