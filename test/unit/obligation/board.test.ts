/** O15 and O16: writers that conflict, followers that restart. */
import { describe, expect, it } from 'vitest';
import type { History } from '../../../harness/history/history.ts';
import { OPERATIONS } from '../../../harness/history/record.ts';
import { obligationContext } from '../../../harness/obligation/context.ts';
import { evaluateObligations } from '../../../harness/obligation/evaluate.ts';
import { declaresSchema } from '../../../harness/store-module/declares.ts';
import { event, onBoard } from '../../support/board-script.ts';
import { type Script, script } from '../../support/history-script.ts';

const MAIN: History['phases'] = [
  { phase: 'main', at: 0 },
  { phase: 'heal', at: 1000e6 },
];

function seen(id: string, h: Script): number {
  const history = { ...h.history(), phases: MAIN };
  const declares = declaresSchema.parse({});
  const context = obligationContext({ history, declares, methods: OPERATIONS, scenario: undefined });
  const found = evaluateObligations(history, context).find((one) => one.id === id);
  if (!found) throw new Error(`obligation ${id} was not asked`);
  return found.seen;
}

function crew(h = script()) {
  return { h, a: onBoard(h.worker('w1')), b: onBoard(h.worker('w2')) };
}

describe('O15 conflicting writers', () => {
  it('counts commits that were refused because of a version they named, each once', () => {
    const { h, a, b } = crew();
    a.set('k', { at: [0, 1], made: 1 });
    b.set('k', { at: [2, 3], from: 0, answer: 'conflict' });
    b.commit(
      [
        { key: 'k', from: 7 },
        { key: 'l', from: 7 },
      ],
      { at: [4, 5], answer: 'conflict' },
    );
    b.append('k', { at: [6, 7], answer: 'conflict' });
    b.set('k', { at: [8, 9], from: 1, answer: 'stale' });
    b.set('k', { at: [2000, 2001], from: 0, answer: 'conflict' });
    expect(seen('O15.conflicts', h)).toBe(2);
    expect(seen('O15.overlap', h)).toBe(0);
  });

  it('counts those that were under way together with the winner, of another process', () => {
    const { h, a, b } = crew();
    a.set('k', { at: [0, 5], made: 1 });
    b.set('k', { at: [2, 3], from: 0, answer: 'conflict' });
    b.set('k', { at: [4, 9], from: 0, answer: 'conflict' });
    b.set('k', { at: [5, 9], from: 0, answer: 'conflict' });
    b.set('l', { at: [2, 3], from: 5, answer: 'conflict' });
    a.set('k', { at: [1, 2], from: 9, answer: 'conflict', lane: 1 });
    expect(seen('O15.overlap', h)).toBe(2);
  });

  it('counts a commit of two keys once', () => {
    const { h, a, b } = crew();
    a.commit(
      [
        { key: 'k', made: 1 },
        { key: 'l', made: 1 },
      ],
      { at: [0, 5] },
    );
    b.commit(
      [
        { key: 'k', from: 3 },
        { key: 'l', from: 3 },
      ],
      { at: [1, 2], answer: 'conflict' },
    );
    expect(seen('O15.overlap', h)).toBe(1);
  });
});

describe('O16 followers restarted', () => {
  const followed = (from: number, label = 'w1') => {
    const h = script();
    onBoard(h.worker('w1')).since({ at: [0, 1], events: [event(1, 'k', 1)] });
    const events = [event(from + 1, 'k', from + 1)];
    return { h, next: onBoard(h.worker(label)), page: { at: [5, 6], from, events } as const };
  };

  it('counts a process that goes on in the middle, once', () => {
    const { h, next, page } = followed(1);
    next.since(page);
    next.since({ at: [7, 8], from: 2, events: [event(3, 'k', 3)] });
    expect(seen('O16.restart', h)).toBe(1);
  });

  it.each([
    ['begins at the start', 0, 'w1'],
    ['has another label', 1, 'w2'],
  ] as const)('does not count one that %s', (_, from, label) => {
    const { h, next, page } = followed(from, label);
    next.since(page);
    expect(seen('O16.restart', h)).toBe(0);
  });

  it('does not count one that finds itself at the end', () => {
    const { h, next, page } = followed(1);
    next.since({ ...page, events: [] });
    expect(seen('O16.restart', h)).toBe(0);
  });
});
