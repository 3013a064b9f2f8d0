/**
 * The traps of false alarms (spec/checking.md 3.7) that a checker could walk into: each as the history of a correct store
 * that must stay clean. The traps of the supervisor (F6, F10, F12, F14, F15, F18) stand in the table of `run/judge.test.ts`.
 */
import { describe } from 'vitest';
import { testSituations } from '../../support/guarantee-table.ts';

describe('traps of false alarms', () => {
  testSituations([
    {
      name: 'F1 - a completion that is sent again under a new request and refused counts once - valid',
      write: ({ w1 }) => {
        w1.enqueue('k', { at: [0, 1] });
        w1.claim('k', { at: [2, 3], generation: 1 });
        w1.complete('k', { at: [4, 5], generation: 1 });
        w1.complete('k', { at: [6, 7], generation: 1, answer: 'completed' });
      },
    },
    {
      name: 'F3 - two workers that both believe they hold the item, of whom one was refused - valid',
      write: ({ w1, w2 }) => {
        w1.enqueue('k', { at: [0, 1] });
        w1.claim('k', { at: [2, 3], generation: 1 });
        w2.claim('k', { at: [14, 15], generation: 2 });
        w1.heartbeat('k', { at: [16, 17], generation: 1, answer: 'stale' });
        w1.complete('k', { at: [18, 19], generation: 1, answer: 'stale' });
        w2.complete('k', { at: [20, 21], generation: 2 });
      },
    },
    {
      name: "F4 - an end of the lease on a clock that has nothing to do with ours is no one's fault - valid",
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 1, expiresAtMs: 5 });
        w1.heartbeat('k', { at: [8, 9], generation: 1 });
        w2.claim('k', { at: [20, 21], generation: 2, expiresAtMs: 9e12 });
      },
      declares: { items: 'on-demand' },
    },
    {
      name: 'F5 - a store that fences at the resource lets a stale call pass - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w2.claim('k', { at: [14, 15], generation: 2 });
        w1.heartbeat('k', { at: [16, 17], generation: 1 });
        w1.release('k', { at: [18, 19], generation: 1 });
      },
      declares: { items: 'on-demand', fencing: 'resource' },
    },
    {
      name: 'F9 - heartbeats that a busy loop sent too late, and a reclaim in between - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w2.claim('k', { at: [12, 13], generation: 2 });
        w1.heartbeat('k', { at: [37, 38], generation: 1, answer: 'stale' });
      },
      declares: { items: 'on-demand' },
    },
    {
      name: 'F11 - a claim still in flight when the workers went home leaves a leased row - valid',
      write: ({ w1, h }) => {
        w1.enqueue('k', { at: [0, 1] });
        w1.claim('k', { at: 2 });
        w1.exits(5);
        h.scan([30, 31], [{ key: 'k', state: 'leased', generation: 1, attempts: 1 }]);
      },
      declares: { embedded: true },
    },
    {
      name: 'F13 - an unanswered completion that no read shows need not have been - valid',
      write: ({ w1, w2, h }) => {
        w1.enqueue('k', { at: [0, 1] });
        w1.claim('k', { at: [2, 3], generation: 1 });
        w1.complete('k', { at: 4, generation: 1 });
        w2.claim('k', { at: [14, 15], generation: 2 });
        const by = w2.complete('k', { at: [16, 17], generation: 2, value: 'two' });
        h.scan([30, 31], [{ key: 'k', state: 'done', generation: 2, value: 'two', completedBy: by }]);
      },
      declares: { showsRequest: true },
    },
    {
      name: 'F19 - a writer stopped inside its transaction holds up everybody, and nobody loses anything - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 500], generation: 1 });
        w2.claim('k', { at: [1, 501], generation: 2 });
        w1.heartbeat('k', { at: [502, 503], generation: 1, answer: 'stale' });
      },
      declares: { items: 'on-demand' },
    },
    {
      name: 'F21 - a call that failed for certain and one that was refused both left nothing - valid',
      write: ({ w1, w2, h }) => {
        w1.enqueue('k', { at: [0, 1], answer: 'fail' });
        w1.enqueue('l', { at: [2, 3] });
        w1.claim('l', { at: [4, 5], generation: 1 });
        w2.complete('l', { at: [6, 7], generation: 0, value: 'x', answer: 'stale' });
        w1.complete('l', { at: [8, 9], generation: 1, value: 'y' });
        h.scan([30, 31], [{ key: 'l', state: 'done', generation: 1, value: 'y' }]);
      },
    },
    {
      name: 'F22 - nothing to be had while the only item is not to be taken yet - valid',
      write: ({ w1, w2 }) => {
        w1.enqueue('k', { at: [0, 1], notBeforeMs: 1e12 });
        w1.claimNext({ at: [20, 21], answer: 'empty' });
        w2.claimNext({ at: [40, 41], answer: 'empty' });
        w1.claimNext({ at: [60, 61], answer: 'empty' });
      },
    },
  ]);
});
