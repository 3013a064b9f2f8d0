/** Claims that never take an item whose lease is over: they leave that to a reaper. */
import * as refuse from '../../src/lease/refusals.ts';
import { type LeaseRules, leaseRules } from '../../src/lease/rules.ts';
import { offering } from './offering.ts';

/** More lapsed leases than ever stand before the first open item. */
const LAPSED = 1000;

export const onlyOpenRules: LeaseRules = {
  ...leaseRules,
  claim: (row, call, nowMs) =>
    row.state === 'leased' ? { refusal: refuse.held(row, nowMs) } : leaseRules.claim(row, call, nowMs),
};

/** Lapsed items do not stand in the way of open ones. */
export const onlyOpenEngine = offering(
  (own) => (prefix, atMs, limit) =>
    own(prefix, atMs, limit + LAPSED)
      .filter((row) => row.state === 'open')
      .slice(0, limit),
);
