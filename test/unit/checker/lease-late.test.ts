import { describe } from 'vitest';
import { testSituations } from '../../support/guarantee-table.ts';

describe('S11 late call refused', () => {
  testSituations([
    {
      name: 'S11 - completed at the last instant - valid',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 5], generation: 1 });
        w1.complete('k', { at: [15, 16], generation: 1 });
      },
    },
    {
      name: 'S11 - completed one tick after the end (M53) - violated',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 5], generation: 1 });
        w1.complete('k', { at: [15.001, 16], generation: 1 });
      },
      broken: ['S11'],
    },
    {
      name: 'S11 - late by no more than grain, drift and step allow - valid',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 5], generation: 1 });
        w1.complete('k', { at: [18, 19], generation: 1 });
      },
      declares: { grainMs: 1, clockDrift: 0.1, clockStepMs: 1 },
    },
    {
      name: 'S11 - the late completion is refused (I05) - valid',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 5], generation: 1 });
        w1.complete('k', { at: [30, 31], generation: 1, answer: 'expired' });
      },
    },
    {
      name: 'S11 - the store declares that it accepts late calls (I04) - valid',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 5], generation: 1 });
        w1.heartbeat('k', { at: [30, 31], generation: 1 });
        w1.complete('k', { at: [90, 91], generation: 1 });
      },
      declares: { lateCalls: 'allowed-if-not-superseded' },
    },
    {
      name: 'S11 - renewed late - violated',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 5], generation: 1 });
        w1.heartbeat('k', { at: [30, 31], generation: 1 });
      },
      broken: ['S11'],
    },
    {
      name: 'S11 - nacked late - violated',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 5], generation: 1 });
        w1.nack('k', { at: [30, 31], generation: 1 });
      },
      broken: ['S11'],
    },
    {
      name: 'S11 - released late: accepted by rule - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 5], generation: 1 });
        w1.release('k', { at: [30, 31], generation: 1 });
        w2.claim('k', { at: [32, 33], generation: 2 });
      },
    },
    {
      name: 'S11 - a chain of renewals that a pairwise rule misses - violated',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 5], generation: 1 });
        w1.heartbeat('k', { at: [6, 18], generation: 1 });
        w1.heartbeat('k', { at: [28, 28], generation: 1 });
      },
      broken: ['S11'],
    },
    {
      name: 'S11 - the same chain, the last renewal in time - valid',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 5], generation: 1 });
        w1.heartbeat('k', { at: [6, 18], generation: 1 });
        w1.heartbeat('k', { at: [25, 25], generation: 1 });
      },
    },
    {
      name: 'S11 - a renewal that was never answered may have kept the lease - valid',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 5], generation: 1 });
        w1.heartbeat('k', { at: 6, generation: 1, lane: 1 });
        w1.complete('k', { at: [24, 25], generation: 1 });
      },
    },
    {
      name: 'S11 - renewed by more than the lease, and the answer tells the length of the lease - valid',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 1, leaseMs: 10 });
        w1.heartbeat('k', { at: [8, 9], generation: 1, leaseMs: 10, extendMs: 50 });
        w1.complete('k', { at: [55, 56], generation: 1 });
      },
    },
    {
      name: 'S11 - a refused renewal kept nothing - violated',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 5], generation: 1 });
        w1.heartbeat('k', { at: [6, 7], generation: 1, answer: 'stale' });
        w1.complete('k', { at: [24, 25], generation: 1 });
      },
      broken: ['S11', 'S21'],
    },
    {
      name: 'S11 - overlapping renewals, the shorter call first - valid',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 0], generation: 1 });
        w1.heartbeat('k', { at: [1, 100], generation: 1 });
        w1.heartbeat('k', { at: [5, 8], generation: 1 });
        w1.complete('k', { at: [28, 29], generation: 1 });
      },
    },
    {
      name: 'S11 - completed after its own release - violated',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.release('k', { at: [2, 3], generation: 1 });
        w1.complete('k', { at: [4, 5], generation: 1 });
      },
      broken: ['S11'],
    },
    {
      name: 'S11 - completed and released at once: the release may come last - valid',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.release('k', { at: [2, 4], generation: 1 });
        w1.complete('k', { at: [3, 5], generation: 1 });
      },
    },
    {
      name: 'S11 - nacked and completed at once, both accepted - violated in either order',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.nack('k', { at: [2, 4], generation: 1 });
        w1.complete('k', { at: [3, 5], generation: 1 });
      },
      broken: ['S11'],
    },
    {
      name: 'S11 - nacked twice - violated',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.nack('k', { at: [2, 4], generation: 1 });
        w1.nack('k', { at: [3, 5], generation: 1 });
      },
      broken: ['S11'],
    },
    {
      name: 'S11 - released twice, nacked then released: nothing is left to free - valid',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.release('k', { at: [2, 3], generation: 1 });
        w1.release('k', { at: [4, 5], generation: 1 });
        w1.claim('l', { at: [10, 11], generation: 1 });
        w1.nack('l', { at: [12, 13], generation: 1 });
        w1.release('l', { at: [14, 15], generation: 1 });
      },
    },
    {
      name: 'S11 - after its own release, where late calls are allowed - valid',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.release('k', { at: [2, 3], generation: 1 });
        w1.heartbeat('k', { at: [4, 5], generation: 1 });
        w1.complete('k', { at: [6, 7], generation: 1 });
      },
      declares: { lateCalls: 'allowed-if-not-superseded' },
    },
    {
      name: 'S11 - the claim itself was never answered - valid',
      write: ({ w1 }) => {
        w1.claim('k', { at: 0, leaseMs: 10 });
        w1.complete('k', { at: [50, 51], generation: 1, lane: 1 });
      },
    },
  ]);
});
