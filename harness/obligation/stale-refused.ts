/**
 * O4, stale calls refused: a holder call was sent after a later grant of its item was certain, and the store said no.
 *
 * Counted per call, since each kind of call has its own fence in most stores.
 */
import { OP } from '../history/history.ts';
import type { OperationName } from '../history/record.ts';
import { staleRefused } from '../measure/stale-calls.ts';
import { claims, lacks, type ObligationRule, unfenced } from './rule.ts';

function part(
  id: string,
  name: string,
  min: number,
  advice: string,
  kinds: readonly OperationName[],
): ObligationRule {
  return {
    id,
    name,
    statement: `A ${kinds.join(' or ')} was sent after a later grant of its item was certain, and was refused.`,
    min,
    advice,
    asked: claims,
    notTested: (context) => lacks(context, ...kinds) ?? unfenced(context),
    count: ({ history, tenures }) =>
      kinds.reduce((sum, kind) => sum + staleRefused(history, tenures, OP[kind]), 0),
  };
}

export const staleCompleteRefused = part(
  'O4.complete',
  'stale complete refused',
  5,
  'Give `complete` more weight among the final calls (`workload.finals`) and draw more `late` and `stubborn` workers (`workload.zombies`).',
  ['complete'],
);

export const staleHeartbeatRefused = part(
  'O4.heartbeat',
  'stale heartbeat refused',
  3,
  'Send heartbeats more often (`heartbeat`) and draw more `stubborn` workers (`workload.zombies.stubborn`).',
  ['heartbeat'],
);

export const staleReleaseRefused = part(
  'O4.release',
  'stale release refused',
  3,
  'Give `release` and `nack` more weight (`workload.finals`) and draw more `stubborn` workers (`workload.zombies.stubborn`).',
  ['release', 'nack'],
);
