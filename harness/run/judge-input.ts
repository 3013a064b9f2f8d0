/** What the judgement is made of. Types only. */
import type { Finding } from '../checker/finding.ts';
import type { Guarantee } from '../checker/guarantee.ts';
import type { History } from '../history/history.ts';
import type { OperationName, SupervisorRecord } from '../history/record.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Declares } from '../store-module/declares.ts';

/** What the checkers found, and whether they can be believed. */
export interface Checked {
  readonly findings: readonly Finding[];
  /** The sweep said "violated" and the second oracle did not. */
  readonly disagreements: readonly { readonly message: string }[];
  readonly crashed: readonly { readonly checker: string; readonly error: string }[];
}

/** Everything that `judge` looks at. */
export interface JudgeInput {
  readonly history: History;
  readonly declares: Declares;
  /** The supervisor's first record; undefined for files that came without a run. */
  readonly run: Extract<SupervisorRecord, { type: 'run' }> | undefined;
  readonly methods: readonly OperationName[] | undefined;
  readonly scenario: Scenario | undefined;
  /** Undefined when there is no answer of the checkers, because a budget was spent. */
  readonly checked: Checked | undefined;
  /** Why checking was given up: time or memory. */
  readonly budget?: string | undefined;
  /** What had been judged when the budget was spent. */
  readonly partial?: readonly Finding[] | undefined;
  readonly guarantees: readonly Guarantee[];
  readonly interrupted: boolean;
  readonly version: string;
  /** Name of the store, as the user gave it. */
  readonly store: string;
  readonly files: number;
  /** Stands in for the run's id where there is no run. */
  readonly runId?: string | undefined;
  readonly seed?: number | undefined;
}
