import { describe } from 'vitest';
import { testSituations } from '../../support/guarantee-table.ts';

const OPAQUE = { tokens: 'opaque' } as const;

describe('stores whose tokens have no order', () => {
  testSituations([
    {
      name: 'S1 - one opaque token for two requests - violated',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], token: 'a' });
        w2.claim('k', { at: [20, 21], token: 'a' });
      },
      declares: OPAQUE,
      broken: ['S1'],
    },
    {
      name: 'S3 - two leases within one lease, in either order - violated',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 5], token: 'a' });
        w2.claim('k', { at: [1, 6], token: 'b' });
      },
      declares: OPAQUE,
      broken: ['S3'],
    },
    {
      name: 'S3 - the second when the first was over - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], token: 'a' });
        w2.claim('k', { at: [8, 10], token: 'b' });
      },
      declares: OPAQUE,
    },
    {
      name: 'S3 - released in between - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], token: 'a' });
        w1.release('k', { at: [2, 3], token: 'a' });
        w2.claim('k', { at: [4, 5], token: 'b' });
      },
      declares: OPAQUE,
    },
    {
      name: 'S3 - an unanswered release of the first - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], token: 'a' });
        w1.release('k', { at: 2, token: 'a' });
        w2.claim('k', { at: [4, 5], token: 'b' });
      },
      declares: OPAQUE,
    },
    {
      name: 'S3 - released under the token of the renewal - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], token: 'a' });
        w1.heartbeat('k', { at: [2, 3], token: 'a', renewed: 'a2' });
        w1.heartbeat('k', { at: [4, 5], token: 'a2', renewed: 'a3' });
        w1.release('k', { at: [6, 7], token: 'a3' });
        w2.claim('k', { at: [8, 9], token: 'b' });
      },
      declares: OPAQUE,
    },
    {
      name: 'S3 - renewed under a new token, and granted too early - violated',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], token: 'a' });
        w1.heartbeat('k', { at: [4, 5], token: 'a', renewed: 'a2' });
        w1.heartbeat('k', { at: [8, 9], token: 'a2', renewed: 'a3' });
        w2.claim('k', { at: [16, 17], token: 'b' });
      },
      declares: OPAQUE,
      broken: ['S3'],
    },
    {
      name: 'S4 - completed under a renewed token after another was granted - violated',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], token: 'a' });
        w1.heartbeat('k', { at: [2, 3], token: 'a', renewed: 'a2' });
        w2.claim('k', { at: [20, 21], token: 'b' });
        w1.complete('k', { at: [22, 23], token: 'a2' });
      },
      declares: OPAQUE,
      broken: ['S4'],
    },
    {
      name: 'S4 - a stale heartbeat answered with the lease that stands - violated',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], token: 'a' });
        w2.claim('k', { at: [20, 21], token: 'b' });
        w1.heartbeat('k', { at: [22, 23], token: 'a', renewed: 'b' });
        w2.complete('k', { at: [24, 25], token: 'b' });
      },
      declares: OPAQUE,
      broken: ['S4'],
    },
    {
      name: 'S3 - a release of another token does not excuse it - violated',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], token: 'a' });
        w1.release('k', { at: [2, 3], token: 'z', answer: 'not-held' });
        w2.claim('k', { at: [4, 5], token: 'b' });
      },
      declares: OPAQUE,
      broken: ['S3'],
    },
    {
      name: 'S3 - renewed, then granted before the renewed lease was over - violated',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], token: 'a' });
        w1.heartbeat('k', { at: [8, 9], token: 'a' });
        w2.claim('k', { at: [12, 13], token: 'b' });
      },
      declares: OPAQUE,
      broken: ['S3'],
    },
    {
      name: 'S3 - reacquired in between for a shorter time - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], token: 'a', leaseMs: 100 });
        w1.claim('k', { at: [2, 3], token: 'b', leaseMs: 2, reacquire: true });
        w2.claim('k', { at: [6, 7], token: 'c' });
      },
      declares: OPAQUE,
    },
    {
      name: 'S4 - completed under an older token after a newer one was granted - violated',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], token: 'a' });
        w2.claim('k', { at: [12, 13], token: 'b' });
        w1.complete('k', { at: [14, 15], token: 'a' });
      },
      declares: OPAQUE,
      broken: ['S4'],
    },
    {
      name: 'S4 - the order of the grants is open - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 13], token: 'a' });
        w2.claim('k', { at: [2, 13], token: 'b' });
        w1.complete('k', { at: [14, 15], token: 'a' });
      },
      declares: OPAQUE,
    },
    {
      name: 'S5 - completed twice - violated',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], token: 'a' });
        w2.claim('k', { at: [12, 13], token: 'b' });
        w1.complete('k', { at: [12, 14], token: 'a' });
        w2.complete('k', { at: [14, 15], token: 'b' });
      },
      declares: OPAQUE,
      broken: ['S5'],
    },
    {
      name: 'S10 - granted after it was completed - violated',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], token: 'a' });
        w1.complete('k', { at: [2, 3], token: 'a' });
        w2.claim('k', { at: [20, 21], token: 'b' });
      },
      declares: OPAQUE,
      broken: ['S10'],
    },
    {
      name: 'S7 - completed, and the scan shows it open - violated',
      write: ({ h, w1 }) => {
        w1.claim('k', { at: [0, 1], token: 'a' });
        w1.complete('k', { at: [2, 3], token: 'a' });
        h.scan([30, 31], [{ key: 'k', state: 'open' }]);
      },
      declares: OPAQUE,
      broken: ['S7', 'S19'],
    },
  ]);
});

describe('stores without tokens, and stores that do not fence', () => {
  testSituations([
    {
      name: 'S3 - no tokens: any release may have ended the lease - valid',
      write: ({ w1, w2, w3 }) => {
        w1.claim('k', { at: [0, 1] });
        w3.release('k', { at: [2, 3] });
        w2.claim('k', { at: [4, 5] });
      },
      declares: { tokens: 'none', fencing: 'none' },
    },
    {
      name: 'S3 - no tokens, nobody ended the lease - violated',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1] });
        w2.claim('k', { at: [4, 5] });
      },
      declares: { tokens: 'none', fencing: 'none' },
      broken: ['S3'],
    },
    {
      name: 'S3 - not fenced: a stale release frees the lease of another - valid',
      write: ({ w1, w2, w3 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w2.claim('k', { at: [12, 13], generation: 2 });
        w1.release('k', { at: [14, 15], generation: 1 });
        w3.claim('k', { at: [16, 17], generation: 3 });
      },
      declares: { fencing: 'none' },
    },
    {
      name: 'S2 - not fenced, and generations fall - violated',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 5 });
        w2.claim('k', { at: [12, 13], generation: 4 });
      },
      declares: { fencing: 'resource' },
      broken: ['S2'],
    },
    {
      name: 'S4 - accepted before the successor wrote, by a store that fences by the resource (I09) - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w2.claim('k', { at: [12, 13], generation: 2 });
        w1.complete('k', { at: [14, 15], generation: 1 });
      },
      declares: { fencing: 'resource' },
    },
    {
      name: 'S3 - one grant tells no generation: the item is judged by pairs - violated',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 1 });
        w2.claim('k', { at: [4, 5] });
      },
      broken: ['S3'],
    },
  ]);
});
