/** How much a clean result says: opportunities seen, and the rule of three. Pure. */
import type { Finding } from '../checker/finding.ts';
import type { Guarantee } from '../checker/guarantee.ts';
import type { GuaranteeResult } from '../report/results.ts';

/**
 * Upper bound, at 95 %, of the share of opportunities that fail, when none of `opportunities` did: 3 / N, at most 1.
 * Undefined without opportunities: then nothing is known.
 */
export const ruleOfThree = (opportunities: number): number | undefined =>
  opportunities > 0 ? Math.min(1, 3 / opportunities) : undefined;

/** A finding with the words and the strength that a report shows. */
export function guaranteeResult(finding: Finding, guarantee: Guarantee | undefined): GuaranteeResult {
  const isBroken = finding.broken > 0;
  return {
    ...finding,
    name: guarantee?.name ?? finding.guarantee,
    statement: guarantee?.statement ?? '',
    opportunity: guarantee?.opportunity ?? '',
    notProven: guarantee?.notProven ?? '',
    // The rule of three speaks of a clean sample only.
    atMost: isBroken ? undefined : ruleOfThree(finding.opportunities),
    verdict: verdictOf(finding),
  };
}

function verdictOf(finding: Finding): GuaranteeResult['verdict'] {
  if (finding.broken > 0) return 'broken';
  if (finding.notTested !== undefined) return 'not tested';
  return finding.opportunities > 0 ? 'held' : 'no opportunity';
}
