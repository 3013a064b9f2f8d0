/**
 * Counts every obligation in a history (spec/checking.md 3.8). Pure and near-linear, so that it can run once a second on
 * a history that still grows; the verdict runs it again over the files.
 */
import type { History } from '../history/history.ts';
import { type Tenures, tenuresOf } from '../measure/tenures.ts';
import { mainWindow } from '../measure/window.ts';
import type { ObligationContext } from './context.ts';
import type { ObligationResult } from './obligation.ts';
import { OBLIGATIONS } from './registry.ts';
import type { ObligationRule } from './rule.ts';

/** The state of every obligation that is asked of this store and workload. */
export function evaluateObligations(
  history: History,
  context: ObligationContext,
  tenures: Tenures = tenuresOf(history),
): ObligationResult[] {
  const evidence = { history, tenures, main: mainWindow(history) };
  return OBLIGATIONS.filter((rule) => rule.asked?.(context) ?? true).map((rule) => {
    const min = minimumOf(rule, context);
    const { id, name, statement, advice } = rule;
    const base = { id, name, statement, min, defaultMin: rule.min, advice };
    const notTested = rule.notTested?.(context);
    if (notTested !== undefined) return { ...base, seen: 0, met: false, notTested };
    const seen = rule.count(evidence, context);
    return { ...base, seen, met: seen >= min };
  });
}

/** Whether nothing that is demanded is missing. Main may end. */
export const allMet = (results: readonly ObligationResult[]): boolean =>
  results.every((result) => result.met || result.notTested !== undefined);

/** The part's own minimum, else that of its obligation, else the default. */
function minimumOf(rule: ObligationRule, { minima }: ObligationContext): number {
  const own = Object.hasOwn(minima, rule.id) ? minima[rule.id] : undefined;
  const whole = rule.id.replace(/\..*$/, '');
  return own ?? (Object.hasOwn(minima, whole) ? minima[whole] : undefined) ?? rule.min;
}
