/** Counts one obligation in a scripted history. */
import type { OperationName } from '../../../harness/history/record.ts';
import { obligationContext } from '../../../harness/obligation/context.ts';
import { evaluateObligations } from '../../../harness/obligation/evaluate.ts';
import type { ObligationResult } from '../../../harness/obligation/obligation.ts';
import type { CrashCell } from '../../../harness/scenario/crash-cells.ts';
import type { Boundary, FaultName } from '../../../harness/scenario/scenario.ts';
import { type Declares, declaresSchema } from '../../../harness/store-module/declares.ts';
import type { Script } from '../../support/records.ts';

export const ALL_METHODS: readonly OperationName[] = [
  'enqueue',
  'claim',
  'claimNext',
  'heartbeat',
  'complete',
  'nack',
  'release',
  'scan',
];

export interface Setting {
  readonly declares?: Partial<Declares>;
  readonly methods?: readonly OperationName[];
  readonly minima?: Readonly<Record<string, number>>;
  readonly lanes?: number;
  readonly faults?: readonly FaultName[];
  readonly crashWindows?: readonly Boundary[];
  readonly crashCells?: readonly CrashCell[];
  readonly leaseMs?: number;
  readonly slowMs?: number;
  readonly lastMoment?: boolean;
}

export function results(script: Script, setting: Setting = {}): ObligationResult[] {
  const history = script.history();
  const declares = declaresSchema.parse({ embedded: true, ...setting.declares });
  const context = obligationContext({
    history,
    declares,
    methods: setting.methods ?? ALL_METHODS,
    scenario: undefined,
  });
  const {
    lanes,
    minima = {},
    faults = [],
    crashWindows = [],
    crashCells = [],
    leaseMs = 0,
    slowMs = 0,
    lastMoment = false,
  } = setting;
  return evaluateObligations(history, {
    ...context,
    lanes: lanes ?? context.lanes,
    minima,
    faults: new Set(faults),
    crashWindows,
    crashCells,
    leaseMs,
    slowMs,
    lastMoment,
  });
}

export function result(id: string, script: Script, setting?: Setting): ObligationResult {
  const found = results(script, setting).find((obligation) => obligation.id === id);
  if (!found) throw new Error(`obligation ${id} was not asked`);
  return found;
}

export const seen = (id: string, script: Script, setting?: Setting): number =>
  result(id, script, setting).seen;
