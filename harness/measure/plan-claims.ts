/** Claims of tasks of plans: who had what, and who took it over. Pure. */
import { type History, OUTCOME, type PlanVerb } from '../history/history.ts';

export interface PlanClaims {
  /** Accepted claims under which the holder sent no close; the last setter of each, a renewal where there was one. */
  readonly held: readonly PlanVerb[];
  /** Accepted claims, and accepted renewals, by task (`claimName`). */
  readonly taken: ReadonlyMap<string, readonly PlanVerb[]>;
  readonly renewed: ReadonlyMap<string, readonly PlanVerb[]>;
}

/** Names the task of an epoch that a claim handed out, or that a close or a renewal was called with. */
export const claimName = ({ plan, epoch, task, claim }: PlanVerb): string =>
  `${plan}/${claim?.epoch ?? epoch}/${task}`;

const KNOWN = new WeakMap<readonly PlanVerb[], { readonly records: number; readonly claims: PlanClaims }>();

/** Of a history that may still grow: worked out anew when records have come. */
export function planClaims(history: History): PlanClaims {
  const { planVerbs, records } = history;
  const known = KNOWN.get(planVerbs);
  if (known?.records === records) return known.claims;
  const claims = claimsOf(history);
  KNOWN.set(planVerbs, { records, claims });
  return claims;
}

function claimsOf({ ops, planVerbs }: History): PlanClaims {
  const taken = new Map<string, PlanVerb[]>();
  const renewed = new Map<string, PlanVerb[]>();
  const setters = new Map<string, PlanVerb>();
  const closed = new Set<string>();
  const add = (to: Map<string, PlanVerb[]>, verb: PlanVerb): void => {
    const name = claimName(verb);
    const all = to.get(name);
    if (all) all.push(verb);
    else to.set(name, [verb]);
  };
  for (const verb of planVerbs) {
    const { generation } = verb.claim ?? verb;
    const name = `${claimName(verb)}/${generation}`;
    if (verb.verb === 'markDone' || verb.verb === 'markFailed') closed.add(name);
    if (verb.claim === undefined || ops.outcome[verb.row] !== OUTCOME.accepted) continue;
    add(verb.claim.kind === 'claimed' ? taken : renewed, verb);
    const other = setters.get(name);
    if (!other || ops.inv[other.row]! < ops.inv[verb.row]!) setters.set(name, verb);
  }
  const held = [...setters].filter(([name]) => !closed.has(name)).map(([, verb]) => verb);
  return { held, taken, renewed };
}
