/** Tables of hand-made histories: guarantee - situation - verdict. Every accusation must be confirmed by its second opinion. */
import { expect, test } from 'vitest';
import { type Judgement, judgeHistory } from '../../harness/checker/compose.ts';
import type { Violation } from '../../harness/checker/finding.ts';
import { DEFAULT_DECLARES, type Declares } from '../../harness/store-module/declares.ts';
import { type Script, script, type Worker } from './history-script.ts';

/** What a row of a table writes with: the script, and three workers of their own label. */
export interface Stage {
  readonly h: Script;
  readonly w1: Worker;
  readonly w2: Worker;
  readonly w3: Worker;
}

export interface Situation {
  /** `guarantee - situation - verdict`. */
  readonly name: string;
  readonly write: (stage: Stage) => void;
  /** Guarantees that are broken; all others must hold. Default: none. */
  readonly broken?: readonly string[];
  readonly declares?: Partial<Declares>;
  /** The store runs in the worker's process (cut-off of unknown calls). */
  readonly embedded?: boolean;
}

/** Leases of the tables last exactly 10 ms, and items are made by their first claim, unless a row says otherwise. */
export const TABLE_DECLARES: Declares = { ...DEFAULT_DECLARES, grainMs: 0, items: 'on-demand' };

export function judgeSituation(situation: Situation): Judgement {
  const h = script();
  situation.write({ h, w1: h.worker('w1'), w2: h.worker('w2'), w3: h.worker('w3') });
  const { embedded = false } = situation;
  const declares = { ...TABLE_DECLARES, embedded, ...situation.declares };
  return judgeHistory(h.history({ embedded }), declares, undefined, () => h.records());
}

export const violationsOf = ({ findings }: Judgement): Violation[] =>
  findings.flatMap(({ violations }) => violations);

export function testSituations(situations: readonly Situation[]): void {
  test.each(situations)('$name', (situation) => {
    const judged = judgeSituation(situation);
    expect(judged.crashed).toEqual([]);
    expect(judged.disagreements).toEqual([]);
    const broken = judged.findings.filter((finding) => finding.broken > 0).map(({ guarantee }) => guarantee);
    expect(broken).toEqual(situation.broken ?? []);
    for (const violation of violationsOf(judged)) {
      expect(violation.confirmedBy).toBeDefined();
      expect(violation.witness.filter(({ accused }) => accused).length).toBeLessThanOrEqual(1);
      expect(violation.witness.length).toBeLessThanOrEqual(4);
    }
  });
}
