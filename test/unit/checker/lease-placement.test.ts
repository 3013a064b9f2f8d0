import { describe } from 'vitest';
import { testSituations } from '../../support/guarantee-table.ts';

describe('S3 lease exclusive', () => {
  testSituations([
    {
      name: 'S3 - granted again when the lease was over - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 5], generation: 1 });
        w2.claim('k', { at: [6, 10], generation: 2 });
      },
    },
    {
      name: 'S3 - granted again one tick early (M12) - violated',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 5], generation: 1 });
        w2.claim('k', { at: [6, 9], generation: 2 });
      },
      broken: ['S3'],
    },
    {
      name: 'S3 - early by no more than the grain - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 5], generation: 1 });
        w2.claim('k', { at: [6, 9], generation: 2 });
      },
      declares: { grainMs: 1 },
    },
    {
      name: 'S3 - early by no more than drift and step allow - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 5], generation: 1 });
        w2.claim('k', { at: [6, 7], generation: 2 });
      },
      declares: { clockDrift: 0.1, clockStepMs: 2 },
    },
    {
      name: 'S3 - a chain: each neighbouring pair is fine, the three are not - violated',
      write: ({ w1, w2, w3 }) => {
        w1.claim('k', { at: [0, 0], generation: 1 });
        w2.claim('k', { at: [5, 15], generation: 2 });
        w3.claim('k', { at: [16, 16], generation: 3 });
      },
      broken: ['S3'],
    },
    {
      name: 'S3 - the same chain, the third late enough - valid',
      write: ({ w1, w2, w3 }) => {
        w1.claim('k', { at: [0, 0], generation: 1 });
        w2.claim('k', { at: [5, 15], generation: 2 });
        w3.claim('k', { at: [16, 20], generation: 3 });
      },
    },
    {
      name: 'S3 - granted before the renewed lease was over (M14) - violated',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.heartbeat('k', { at: [8, 9], generation: 1 });
        w2.claim('k', { at: [12, 13], generation: 2 });
      },
      broken: ['S3'],
    },
    {
      name: 'S3 - the renewal was never answered - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.heartbeat('k', { at: 8, generation: 1 });
        w2.claim('k', { at: [12, 13], generation: 2 });
      },
    },
    {
      name: 'S3 - released first - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.release('k', { at: [2, 3], generation: 1 });
        w2.claim('k', { at: [3, 4], generation: 2 });
      },
    },
    {
      name: 'S3 - released, but only after the next grant was answered - violated',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w2.claim('k', { at: [2, 3], generation: 2 });
        w1.nack('k', { at: 4, generation: 1 });
      },
      broken: ['S3'],
    },
    {
      name: 'S3 - a release that was never answered may have ended it - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.release('k', { at: 2, generation: 1 });
        w2.claim('k', { at: [3, 4], generation: 2 });
      },
    },
    {
      name: 'S3 - the release failed for certain - violated',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.release('k', { at: [2, 3], generation: 1, answer: 'fail' });
        w2.claim('k', { at: [3, 4], generation: 2 });
      },
      broken: ['S3'],
    },
    {
      name: 'S3 - nacked first - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.nack('k', { at: [2, 3], generation: 1 });
        w2.claim('k', { at: [3, 4], generation: 2 });
      },
    },
    {
      name: 'S3 - the operator forced it open - valid',
      write: ({ w1, w2, w3 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w3.forceRelease('k', { at: [2, 3] });
        w2.claim('k', { at: [3, 4], generation: 2 });
      },
    },
    {
      name: 'S3 - one force release cannot end two leases - violated',
      write: ({ w1, w2, w3 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w3.forceRelease('k', { at: [2, 9] });
        w2.claim('k', { at: [3, 4], generation: 2 });
        w1.claim('k', { at: [5, 6], generation: 3 });
      },
      broken: ['S3'],
    },
    {
      name: 'S3 - reacquired by the same owner - valid',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.claim('k', { at: [2, 3], generation: 2, reacquire: true });
      },
    },
    {
      name: 'S3 - reacquired by another owner - violated',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w2.claim('k', { at: [2, 3], generation: 2, reacquire: true });
      },
      broken: ['S3'],
    },
    {
      name: 'S3 - the same owner claims a live lease without asking to reacquire - violated',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.claim('k', { at: [2, 3], generation: 2 });
      },
      broken: ['S3'],
    },
    {
      name: 'S3 - an unanswered reacquiring claim may have shortened the lease - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 1, leaseMs: 100 });
        w1.claim('k', { at: 2, leaseMs: 5, reacquire: true });
        w2.claim('k', { at: [7, 8], generation: 3 });
      },
    },
    {
      name: 'S3 - a renewal with a shorter lease may have shortened it - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 1, leaseMs: 100 });
        w1.heartbeat('k', { at: [2, 3], generation: 1, leaseMs: 5 });
        w2.claim('k', { at: [7, 8], generation: 2 });
      },
    },
    {
      name: 'S3 - a renewal by less than the lease, and the answer tells the length of the lease - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 1, leaseMs: 10 });
        w1.heartbeat('k', { at: [8, 9], generation: 1, leaseMs: 10, extendMs: 3 });
        w2.claim('k', { at: [11, 12], generation: 2 });
      },
    },
    {
      name: 'S3 - an answer that arrived long after the grant widens it (A03, SIGSTOP) - valid',
      write: ({ w1, w2, w3 }) => {
        w1.claim('k', { at: [0, 0], generation: 1 });
        w2.claim('k', { at: [0, 27], generation: 2, leaseMs: 5 });
        w3.claim('k', { at: [15, 15], generation: 3 });
      },
    },
    {
      name: 'S3 - a grant that only answers after the lease it steals - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 5], generation: 1 });
        w2.claim('k', { at: [1, 30], generation: 2 });
      },
    },
    {
      name: 'S3 - an unanswered release of a worker that died later - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.release('k', { at: 2, generation: 1 });
        w1.exits(3);
        w2.claim('k', { at: [4, 5], generation: 2 });
      },
      embedded: true,
    },
    {
      name: 'S3 - an unanswered release that the lease outlived by a renewal - violated',
      write: ({ h, w1, w2 }) => {
        const lane = h.worker('w1');
        w1.claim('k', { at: [0, 1], generation: 1 });
        w1.release('k', { at: 2, generation: 1 });
        w1.exits(3);
        lane.heartbeat('k', { at: [4, 5], generation: 1 });
        w2.claim('k', { at: [6, 7], generation: 2 });
      },
      embedded: true,
      broken: ['S3'],
    },
  ]);
});
