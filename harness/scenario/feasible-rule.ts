/** What the rules of feasibility share. Pure. */
import { OBLIGATIONS } from '../obligation/registry.ts';
import type { Concern, FeasibilityInput } from './concern.ts';
import { worksOnLeases } from './kind.ts';
import type { Faults, Scenario } from './scenario.ts';

/** One rule: the concern when it is broken. */
export type Rule = (input: FeasibilityInput) => Concern | undefined;

/** Certainly cannot work. */
export function refusal(what: string, why: string, fix: string): Concern {
  return { level: 'refusal', what, why, fix };
}

/** Will probably not work. */
export function warning(what: string, why: string, fix: string): Concern {
  return { level: 'warning', what, why, fix };
}

/** The minimum that a run of this scenario demands of an obligation. */
export function minimumOf(scenario: Scenario, id: string): number {
  const { obligations } = scenario;
  return (
    obligations[id] ??
    obligations[id.replace(/\..*$/, '')] ??
    OBLIGATIONS.find((rule) => rule.id === id)?.min ??
    0
  );
}

/** A rule that says nothing where nobody works on leased items. */
export const forLeases =
  (rule: Rule): Rule =>
  (input) =>
    worksOnLeases(input.scenario.workload.kind) ? rule(input) : undefined;

/** Sum of the weights of all faults. */
export function totalOf(faults: Faults): number {
  return Object.values(faults.weights).reduce((sum, weight) => sum + weight, 0);
}

/** One decimal. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
