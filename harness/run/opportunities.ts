/** Whether the guarantees had the opportunities that the scenario asks for (`opportunities`, `--until-evidence`). Pure. */
import type { Finding } from '../checker/finding.ts';
import type { GuaranteeId } from '../checker/guarantee.ts';

/** These have their opportunities in the final read and in what comes after the faults: nothing to wait for before. */
const AT_THE_END: ReadonlySet<GuaranteeId> = new Set<GuaranteeId>(['S6', 'S7', 'S9', 'S12', 'S19']);

/** These are judged when the faults are over, and have the opportunities that the end of the work gives: no main is long enough for more. */
const AFTER_MAIN: ReadonlySet<GuaranteeId> = new Set<GuaranteeId>(['L1', 'L2', 'L4']);

/** The guarantees that were judged and had fewer opportunities than `least`. `finalRead`: it has been there. */
export const shortOfOpportunities = (
  findings: readonly Finding[],
  least: number,
  { finalRead }: { readonly finalRead: boolean },
): readonly Finding[] =>
  findings.filter(
    ({ guarantee, opportunities, notTested }) =>
      notTested === undefined &&
      opportunities < least &&
      !AFTER_MAIN.has(guarantee) &&
      (finalRead || !AT_THE_END.has(guarantee)),
  );
