/** Claims that never take an item whose lease is over: they leave that to a reaper. */
import * as refuse from '../../src/lease/refusals.ts';
import { type LeaseRules, leaseRules } from '../../src/lease/rules.ts';
import type { ReplaceEngine } from '../../src/stores/sqlite/backend.ts';

/** More lapsed leases than ever stand before the first open item. */
const LAPSED = 1000;

export const onlyOpenRules: LeaseRules = {
  ...leaseRules,
  claim: (row, call, nowMs) =>
    row.state === 'leased' ? { refusal: refuse.held(row, nowMs) } : leaseRules.claim(row, call, nowMs),
};

/** Lapsed items do not stand in the way of open ones. */
export const onlyOpenEngine: ReplaceEngine = (own) => ({
  ...own,
  write: (patience, body) =>
    own.write(patience, (tx, nowMs) =>
      body(
        {
          ...tx,
          eligible: (prefix, atMs, limit) =>
            tx
              .eligible(prefix, atMs, limit + LAPSED)
              .filter((row) => row.state === 'open')
              .slice(0, limit),
        },
        nowMs,
      ),
    ),
});
