/** Reasons that come from the checkers and from the obligations. Pure. */
import type { Finding, Violation } from '../checker/finding.ts';
import type { ObligationResult } from '../obligation/obligation.ts';
import type { Reason } from '../report/results.ts';
import type { JudgeInput } from './judge-input.ts';
import { shortOfOpportunities } from './opportunities.ts';

/** What the checkers found, and what is wrong with the checkers. */
export function checkerReasons({ checked, budget, partial = [] }: JudgeInput): Reason[] {
  const reasons: Reason[] = [];
  if (budget !== undefined || !checked) {
    reasons.push({
      verdict: 'inconclusive',
      code: 'CHECK_BUDGET_SPENT',
      message: `The history was not checked to its end: ${budget ?? 'there is no answer of the checkers'}.`,
      fix: 'Give the check more (`check.time`, `check.memory`), or make the run shorter.',
    });
  }
  if (!checked) return [...reasons, ...partial.flatMap(findingReasons)];
  for (const { checker, error } of checked.crashed) {
    reasons.push(harnessError('CHECKER_CRASHED', `The checker ${checker} threw: ${error}`));
  }
  for (const { message } of checked.disagreements) {
    reasons.push(harnessError('ORACLES_DISAGREE', `The oracles disagree: ${message}`));
  }
  for (const finding of checked.findings) reasons.push(...findingReasons(finding));
  const opportunities = checked.findings.reduce((sum, finding) => sum + finding.opportunities, 0);
  if (opportunities === 0 && !checked.findings.some((finding) => finding.broken > 0)) {
    reasons.push({
      verdict: 'inconclusive',
      code: 'NO_OPPORTUNITY',
      message: 'The history gave no guarantee an opportunity to be broken: it proves nothing.',
      fix: 'Check files that hold the calls of a whole run.',
    });
  }
  return reasons;
}

/** Confirmed by the second oracle or by a second count. */
export const isConfirmed = (violation: Violation): boolean => violation.confirmedBy !== undefined;

function findingReasons(finding: Finding): Reason[] {
  if (finding.broken === 0) return [];
  const reasons: Reason[] = [];
  const confirmed = finding.violations.filter(isConfirmed);
  const doubtful = finding.violations.find((violation) => !isConfirmed(violation));
  if (confirmed.length > 0) {
    reasons.push({
      verdict: 'violated',
      code: 'GUARANTEE_BROKEN',
      message: confirmed[0]!.statement,
    });
  }
  if (doubtful || confirmed.length === 0) {
    const what = doubtful?.statement ?? `${finding.broken} without a witness`;
    reasons.push(
      harnessError(
        'VIOLATION_UNCONFIRMED',
        `${finding.guarantee} was found broken, and the second oracle did not confirm it: ${what}`,
      ),
    );
  }
  return reasons;
}

const harnessError = (code: string, message: string): Reason => ({
  verdict: 'harness-error',
  code,
  message,
  fix: 'This is a bug in Fencepost. Keep the run directory: it holds everything that is needed to find it.',
});

/** One reason for each obligation that stayed unmet. */
export function obligationReasons(obligations: readonly ObligationResult[]): Reason[] {
  return obligations
    .filter((obligation) => !obligation.met && obligation.notTested === undefined)
    .map((obligation) => ({
      verdict: 'inconclusive',
      code: 'OBLIGATION_UNMET',
      message: `${obligation.id} ${obligation.name}: seen ${obligation.seen} of ${obligation.min}. ${obligation.statement}`,
      fix: obligation.advice,
    }));
}

/** The guarantees that had fewer opportunities than the scenario asks for. */
export function opportunityReasons({ checked, scenario }: JudgeInput): Reason[] {
  const least = scenario?.minOpportunities ?? 0;
  const short = shortOfOpportunities(checked?.findings ?? [], least, { finalRead: true });
  if (short.length === 0) return [];
  const seen = short.map(({ guarantee, opportunities }) => `${guarantee} ${opportunities}`);
  return [
    {
      verdict: 'inconclusive',
      code: 'TOO_FEW_OPPORTUNITIES',
      message: `The scenario asks for ${least} opportunities of every guarantee. Fewer were seen of ${short.length}: ${seen.join(', ')}.`,
      fix: 'Run longer (`phases.main.max`), or ask for fewer (`opportunities`).',
    },
  ];
}
