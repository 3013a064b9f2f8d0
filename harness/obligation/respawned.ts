/** O12, respawned: a process that took another's place did real work, so that recovery was tried and not only death. */
import { OUTCOME } from '../history/history.ts';
import type { ObligationRule } from './rule.ts';

export const respawned: ObligationRule = {
  id: 'O12',
  name: 'respawned and working',
  statement: 'A process that was started in the place of another one had a call accepted.',
  min: 5,
  advice: 'Run longer: a process needs 0.1 to 0.4 s from its start to its first call (`phases.main.max`).',
  count: ({ history }) => {
    const { ops } = history;
    const working = new Set<number>();
    for (let row = 0; row < ops.length; row++) {
      if (ops.outcome[row] === OUTCOME.accepted) working.add(ops.incarnation[row]!);
    }
    let seen = 0;
    for (const life of history.incarnations.values()) {
      const tookOver = life.why === 'respawn' || life.why === 'twin';
      if (life.role === 'worker' && tookOver && working.has(life.id)) seen += 1;
    }
    return seen;
  },
};
