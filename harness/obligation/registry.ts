/** Every obligation part that can be asked, in the order of the report. */
import { conflicts, overlappingWriters } from './conflicts.ts';
import { contention } from './contention.ts';
import { crashWindows } from './crash-windows.ts';
import { faultsSeen } from './faults-seen.ts';
import { followersRestarted } from './followers.ts';
import { handedBack, usedUp } from './handed-back.ts';
import { killedInLease } from './killed-in-lease.ts';
import { operations } from './operations.ts';
import { plans } from './plans.ts';
import { reaperRuns } from './reaper-runs.ts';
import { reclaimed } from './reclaimed.ts';
import { renewedAfter, renewedLate } from './renewals.ts';
import { foundActed, foundNot } from './resolved.ts';
import { respawned } from './respawned.ts';
import type { ObligationRule } from './rule.ts';
import { skewed } from './skewed.ts';
import { staleCompleteRefused, staleHeartbeatRefused, staleReleaseRefused } from './stale-refused.ts';
import { twins } from './twins.ts';
import { killedWriter, stoppedWriter } from './writers-under-fault.ts';
import { zombies } from './zombies.ts';

/** The registry. */
export const OBLIGATIONS: readonly ObligationRule[] = [
  killedInLease,
  reclaimed,
  zombies,
  staleCompleteRefused,
  staleHeartbeatRefused,
  staleReleaseRefused,
  contention,
  foundActed,
  foundNot,
  renewedLate,
  renewedAfter,
  skewed,
  ...operations,
  reaperRuns,
  respawned,
  ...crashWindows,
  handedBack,
  usedUp,
  conflicts,
  overlappingWriters,
  followersRestarted,
  twins,
  killedWriter,
  stoppedWriter,
  ...plans,
  ...faultsSeen,
];

/** Names that a scenario may set a minimum for: each part, and each obligation with all its parts. */
export const OBLIGATION_IDS: readonly string[] = [
  ...new Set(OBLIGATIONS.flatMap(({ id }) => [id.replace(/\..*$/, ''), id])),
];
