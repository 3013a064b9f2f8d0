/**
 * The verdict: puts findings, obligations, problems and numbers together (DESIGN.md "Verdicts").
 *
 * `valid` has to be earned: it is what is left when no reason speaks against it. Reasons are collected from every side and the
 * worst decides; a confirmed violation stays listed whatever else went wrong. Pure.
 */

import { OUTCOME } from '../history/history.ts';
import { faultCounts } from '../measure/faults.ts';
import { numbersOf } from '../measure/numbers.ts';
import { observationsOf } from '../measure/observations.ts';
import { phaseDurations } from '../measure/phases.ts';
import { tenuresOf } from '../measure/tenures.ts';
import { mainWindow } from '../measure/window.ts';
import { obligationContext } from '../obligation/context.ts';
import { evaluateObligations } from '../obligation/evaluate.ts';
import type { ObligationResult } from '../obligation/obligation.ts';
import { RESULTS_SCHEMA_VERSION, type Reason, type Results } from '../report/results.ts';
import { timelineOf } from '../report/timeline.ts';
import { feasibility } from '../scenario/feasibility.ts';
import { assumptions } from './assumptions.ts';
import type { JudgeInput } from './judge-input.ts';
import { killMatrix } from './kill-matrix.ts';
import { checkerReasons, isConfirmed, obligationReasons, opportunityReasons } from './reasons-checks.ts';
import { clockReasons } from './reasons-clock.ts';
import { endReasons, phaseReasons, successReasons } from './reasons-end.ts';
import { historyReasons } from './reasons-history.ts';
import { exitReasons, faultReasons } from './reasons-process.ts';
import { guaranteeResult } from './strength.ts';
import { abridge, worst, worstFirst } from './verdict.ts';

/** Judges a history. The same input gives the same results, however often. */
export function judge(input: JudgeInput): Results {
  const { history, declares, run, scenario } = input;
  const tenures = tenuresOf(history);
  // Files without a run tell nothing of what was done to their clients, so nothing can be demanded of them. And a history
  // that was too big to be checked was not counted either.
  const obligations =
    run && input.checked ? evaluateObligations(history, obligationContext(input), tenures) : [];
  const reasons = abridge(worstFirst(allReasons(input, obligations)));
  const described = new Map(input.guarantees.map((guarantee) => [guarantee.id, guarantee]));
  const findings = input.checked?.findings ?? input.partial ?? [];
  const violations = findings.flatMap((finding) => finding.violations);
  const matrix = killMatrix(input, violations);
  return {
    schemaVersion: RESULTS_SCHEMA_VERSION,
    fencepost: input.version,
    run: run?.run ?? input.runId ?? '',
    scenario: scenario?.name ?? '',
    store: input.store,
    seed: run?.seed ?? input.seed,
    startedAt: run === undefined ? undefined : new Date(run.wallMs).toISOString(),
    verdict: worst(reasons.map(({ verdict }) => verdict)),
    reasons,
    interrupted: input.interrupted,
    guarantees: findings.map((finding) => guaranteeResult(finding, described.get(finding.guarantee))),
    obligations,
    warnings: warnings(input),
    notTested: notTested(input, obligations),
    observations: observationsOf(history, tenures, declares),
    assumed: assumptions(declares),
    numbers: numbersOf(history, tenures),
    faults: faultCounts(history),
    ...(matrix === undefined ? {} : { killMatrix: matrix }),
    phases: phaseDurations(history),
    workers: workers(input),
    history: evidence(input),
    firstViolationMs: firstViolationMs(input),
    ...(violations.length === 0 ? {} : { timeline: timelineOf(history, violations) }),
    declares,
    declaredScenario: scenario,
  };
}

function allReasons(input: JudgeInput, obligations: readonly ObligationResult[]): Reason[] {
  const fromFiles = [...historyReasons(input), ...checkerReasons(input)];
  const fromSupervisor = input.run
    ? [...exitReasons(input), ...faultReasons(input), ...clockReasons(input)]
    : [];
  if (!input.checked) return [...fromFiles, ...fromSupervisor];
  const fromClients = input.run
    ? [...endReasons(input), ...obligationReasons(obligations), ...opportunityReasons(input)]
    : [];
  return [
    ...(input.run ? phaseReasons(input) : []),
    ...fromFiles,
    ...successReasons(input),
    ...fromSupervisor,
    ...fromClients,
  ];
}

/** The same as were shown before the start: the history tells all that they rest on. */
function warnings({ run, scenario, declares, methods }: JudgeInput): string[] {
  // A run that was saved before there were kinds of workload was warned by other rules.
  if (!run || !methods || scenario?.workload.kind === undefined) return [];
  return feasibility({ scenario, declares, methods }).warnings.map(
    ({ what, why, fix }) => `${what} ${why} ${fix}`,
  );
}

function notTested(
  { run, checked, methods }: JudgeInput,
  obligations: readonly ObligationResult[],
): string[] {
  const sentences: string[] = [];
  for (const { guarantee, notTested: why } of checked?.findings ?? [])
    if (why) sentences.push(`${guarantee}: ${why}`);
  for (const { id, name, notTested: why } of obligations) if (why) sentences.push(`${id} ${name}: ${why}`);
  if (!run)
    sentences.push(
      'Obligations were not asked: these files came without a run, so nobody knows what was done to their clients.',
    );
  if (methods && !methods.includes('scan'))
    sentences.push('The final state of the items: the store has no `scan`.');
  return sentences;
}

function workers({ history }: JudgeInput): Results['workers'] {
  const lives = [...history.incarnations.values()].filter(({ role }) => role === 'worker');
  return { labels: new Set(lives.map(({ label }) => label)).size, incarnations: lives.length };
}

function evidence({ history, files }: JudgeInput): Results['history'] {
  const { ops, problems, records } = history;
  let unknown = 0;
  for (let row = 0; row < ops.length; row++) if (ops.outcome[row] === OUTCOME.info) unknown += 1;
  return {
    files,
    records,
    operations: ops.length,
    unknown,
    problems: problems.map(({ file, line, message }) => `${file}${line > 0 ? `:${line}` : ''}: ${message}`),
  };
}

/** From the start of main to the last operation of the earliest witness; the time to detection. */
function firstViolationMs({ history, checked }: JudgeInput): number | undefined {
  const { from } = mainWindow(history);
  const confirmed = (checked?.findings ?? []).flatMap(({ violations }) => violations).filter(isConfirmed);
  if (confirmed.length === 0 || !Number.isFinite(from)) return undefined;
  return (Math.min(...confirmed.map(({ at }) => at)) - from) / 1e6;
}
