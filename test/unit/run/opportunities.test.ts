/** How many opportunities a guarantee must have had, and when one can wait for them. */
import { expect, it } from 'vitest';
import { shortOfOpportunities } from '../../../harness/run/opportunities.ts';
import { finding } from './situation.ts';

const ids = (least: number, finalRead: boolean, ...findings: ReturnType<typeof finding>[]): string[] =>
  shortOfOpportunities(findings, least, { finalRead }).map(({ guarantee }) => guarantee);

it('names those with fewer', () => {
  const few = finding({ guarantee: 'S3', opportunities: 9 });
  const enough = finding({ guarantee: 'S4', opportunities: 10 });
  expect(ids(10, true, few, enough)).toEqual(['S3']);
});

it('asks nothing of what is not judged', () => {
  expect(ids(10, true, finding({ opportunities: 0, notTested: 'the store has no `scan`' }))).toEqual([]);
});

it('does not wait in main for what only the final read shows, and asks for it afterwards', () => {
  const lost = finding({ guarantee: 'S7', opportunities: 0 });
  expect(ids(10, false, lost)).toEqual([]);
  expect(ids(10, true, lost)).toEqual(['S7']);
});

it('asks for no more ends of the work than a run has', () => {
  const ended = finding({ guarantee: 'L2', opportunities: 1 });
  expect(ids(300, false, ended)).toEqual([]);
  expect(ids(300, true, ended)).toEqual([]);
});
