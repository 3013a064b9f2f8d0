/** The built-in workload of a lane, by the role that the scenario gives it. */
import { deliver } from './deliver.ts';
import { follow, write } from './feed.ts';
import { keyedWork } from './keyed.ts';
import type { Lane, Workload } from './lane.ts';
import { log } from './log.ts';
import { planWork } from './plan.ts';
import { register } from './register.ts';
import { leasedWork } from './work.ts';

/** Runs one lane from start to end. */
export const builtIn: Workload = (lane) => {
  switch (lane.role) {
    case 'work':
      return leased(lane);
    case 'register':
      return register(lane);
    case 'log':
      return log(lane);
    case 'write':
      return write(lane);
    case 'follow':
      return follow(lane);
    case 'plan':
      return planWork(lane);
  }
};

/** Leased work, in `mixed` with results on the board. */
function leased(lane: Lane): Promise<void> {
  const { methods, scenario } = lane;
  const results = scenario.workload.kind === 'mixed' && methods.has('commit') ? deliver : undefined;
  return methods.has('claimNext') && methods.has('enqueue')
    ? leasedWork(lane, results)
    : keyedWork(lane, results);
}
