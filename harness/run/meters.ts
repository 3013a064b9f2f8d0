/**
 * What a run has shown so far, read from its growing history: whether main may end, and what the next fault should be. The
 * verdict never rests on it; it counts everything again from the files.
 */
import { judgeHistory } from '../checker/compose.ts';
import type { History } from '../history/history.ts';
import type { OperationName } from '../history/record.ts';
import { stamp } from '../history/writer.ts';
import { obligationContext } from '../obligation/context.ts';
import { allMet, evaluateObligations } from '../obligation/evaluate.ts';
import type { ObligationResult } from '../obligation/obligation.ts';
import { type Missing, missingOf } from '../obligation/sources.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Declares } from '../store-module/declares.ts';
import { shortOfOpportunities } from './opportunities.ts';

export interface MetersOptions {
  readonly scenario: Scenario;
  readonly declares: Declares;
  readonly methods: readonly OperationName[];
  /** Main is to end at the first violation. */
  readonly untilViolation: boolean;
}

const EVERY_MS = 1_000;
/** Reading a long history takes time, in which no stopped worker can be let go on: it must stay the exception. */
const SHARE = 0.1;
/** A run that only waits for its first violation may look more often: what its faults would have shown later does not matter. */
const SHARE_UNTIL_VIOLATION = 0.4;

export class Meters {
  readonly #o: MetersOptions;
  #obligations: readonly ObligationResult[] = [];
  #violationSeen = false;
  #opportunitiesMet = false;
  #readAt = 0;
  #tookMs = 0;

  constructor(options: MetersOptions) {
    this.#o = options;
  }

  get obligations(): readonly ObligationResult[] {
    return this.#obligations;
  }

  get violationSeen(): boolean {
    return this.#violationSeen;
  }

  /** Whether all has been seen that the scenario asks for. */
  get complete(): boolean {
    return this.#obligations.length > 0 && allMet(this.#obligations) && this.#opportunitiesMet;
  }

  /** Evidence that faults can still give. */
  get missing(): readonly Missing[] {
    return missingOf(this.#obligations);
  }

  /**
   * Reads again, if it is time to. `knownUntil`: everything written before that instant (ns) is in the history; files are read
   * one after another.
   */
  read(snapshot: () => History, knownUntil: number): void {
    const share = this.#o.untilViolation ? SHARE_UNTIL_VIOLATION : SHARE;
    const gapMs = Math.max(EVERY_MS, this.#tookMs / share);
    const began = stamp();
    if (began - this.#readAt < gapMs * 1e6) return;
    const { scenario, declares, methods } = this.#o;
    const history = snapshot();
    const context = obligationContext({ history, declares, methods, scenario });
    this.#obligations = evaluateObligations(history, context);
    this.#judge(history, knownUntil);
    this.#readAt = stamp();
    this.#tookMs = (this.#readAt - began) / 1e6;
  }

  #judge(history: History, knownUntil: number): void {
    const { scenario, declares, methods, untilViolation } = this.#o;
    this.#opportunitiesMet = scenario.minOpportunities === 0;
    if (!untilViolation && this.#opportunitiesMet) return;
    const { findings } = judgeHistory(history, declares, methods, undefined, { knownUntil });
    this.#violationSeen = findings.some((finding) => finding.broken > 0);
    this.#opportunitiesMet =
      shortOfOpportunities(findings, scenario.minOpportunities, { finalRead: false }).length === 0;
  }
}
