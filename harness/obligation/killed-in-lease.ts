/**
 * O1, killed in lease: a worker died by a SIGKILL of ours, in main, while it held an unexpired lease.
 *
 * Counted per process, from the supervisor's signal and exit records and the client's own answers.
 */
import { within } from '../measure/window.ts';
import { heldAtDeath } from './held-at-death.ts';
import { claims, type ObligationRule } from './rule.ts';

export const killedInLease: ObligationRule = {
  id: 'O1',
  name: 'killed in lease',
  statement:
    'A worker was ended by SIGKILL, and was seen to exit, while it certainly held an unexpired lease.',
  min: 20,
  advice:
    'Kill more often (`faults.every`, `faults.kill`), let tasks take longer (`workload.task`), or run longer (`phases.main.max`).',
  asked: claims,
  count: (evidence, { declares }) => {
    let seen = 0;
    for (const life of evidence.history.incarnations.values()) {
      if (life.role !== 'worker' || life.exitSignal !== 'SIGKILL' || life.exitedAt === undefined) continue;
      const { exitedAt } = life;
      const sent = life.signals.find(({ signal, at }) => signal === 'SIGKILL' && at <= exitedAt);
      if (!sent || !within(evidence.main, sent.at)) continue;
      if (heldAtDeath(evidence, life, sent.at, declares).length > 0) seen += 1;
    }
    return seen;
  },
};
