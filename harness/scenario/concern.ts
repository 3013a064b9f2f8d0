/** What the judgement of feasibility reads and answers. Types only. */
import type { OperationName } from '../history/record.ts';
import type { Declares } from '../store-module/declares.ts';
import type { Scenario } from './scenario.ts';

/** What the judgement looks at. */
export interface FeasibilityInput {
  readonly scenario: Scenario;
  readonly declares: Declares;
  /** Operations that the store has, as the probe found them. */
  readonly methods: readonly OperationName[];
}

/** One thing that stands in the way of a verdict. */
export interface Concern {
  readonly level: 'refusal' | 'warning';
  readonly what: string;
  readonly why: string;
  readonly fix: string;
}
