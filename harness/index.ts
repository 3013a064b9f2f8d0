/**
 * The public face of the harness: run a scenario, judge a saved history. The command line is a thin shell over these.
 *
 * @example
 * import { loadScenario, resolveStoreModule, runScenario } from 'fencepost/harness';
 * const scenario = loadScenario('scenarios/kill-mid-lease.yaml');
 * const storeModule = resolveStoreModule('./my-store.mjs');
 * const { results } = await runScenario({ scenario, storeModule, seed: 1, out: 'reports', signal: new AbortController().signal });
 * if (results.verdict !== 'valid') process.exitCode = 1;
 */
export type { Finding, Violation, WitnessOperation } from './checker/finding.ts';
export { GUARANTEES, type Guarantee, type GuaranteeId } from './checker/guarantee.ts';
export type { Fault, FaultContext, FaultOutcome, Injection, Seen } from './nemesis/fault.ts';
export { FAULTS, type FaultRegistry } from './nemesis/registry.ts';
export type { ObligationResult } from './obligation/obligation.ts';
export type { Numbers, Percentiles, Reason, Results, Verdict } from './report/results.ts';
export type { CheckOptions, Progress, RunOptions, RunOutcome } from './run/api.ts';
export { checkDirectory } from './run/check.ts';
export { runScenario } from './run/run.ts';
export { loadScenario } from './scenario/load.ts';
export type { Scenario } from './scenario/scenario.ts';
export { UsageError } from './scenario/usage-error.ts';
export { type Declares, declaresSchema } from './store-module/declares.ts';
export { resolveStoreModule, type StoreModuleRef } from './store-module/ref.ts';
export type { Lane, Workload } from './workload/lane.ts';
