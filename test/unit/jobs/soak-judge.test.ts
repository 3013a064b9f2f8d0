/** The judge of `npm run soak -- jobs`: what it must notice, and what it must not. */
import { describe, expect, it } from 'vitest';

interface Situation {
  readonly jobs: readonly Record<string, unknown>[];
  readonly notes: readonly { readonly note: string; readonly id: string }[];
  readonly changes: readonly { readonly id: string; readonly before: string; readonly now: string }[];
  readonly disturbed: ReadonlySet<string>;
}
const { judge } = (await import(new URL('../../../scripts/soak/jobs-judge.mjs', import.meta.url).href)) as {
  judge: (situation: Situation) => readonly string[];
};

const job = (jobId: string, status: string, rest: object = {}) => ({
  jobId,
  status,
  processLabel: 'p1',
  delivered: status === 'completed',
  result: status === 'completed' ? jobId : undefined,
  ...rest,
});
const notes = (id: string, ...words: string[]) => words.map((note) => ({ note, id }));
const sound: Situation = {
  jobs: [
    job('a', 'completed'),
    job('b', 'lost'),
    job('c', 'lost'),
    job('d', 'completed'),
    job('e', 'cancelled'),
  ],
  notes: [
    ...notes('a', 'started', 'ran', 'ended', 'told'),
    ...notes('b', 'started'),
    ...notes('c', 'started', 'ran'),
    // Its start was not acknowledged, its end not seen, and it was told twice: all of it may be.
    ...notes('d', 'ran', 'told', 'told'),
  ],
  changes: [
    { id: 'a', before: 'pending', now: 'running' },
    { id: 'a', before: 'running', now: 'completed' },
    { id: 'b', before: 'pending', now: 'lost' },
  ],
  disturbed: new Set(['p1']),
};

describe('the judge of background jobs', () => {
  it('has nothing to say of a sound store', () => {
    expect(judge(sound)).toEqual([]);
  });

  it.each<[string, Partial<Situation>]>([
    ['a ran 2 times', { notes: [...sound.notes, ...notes('a', 'ran')] }],
    ['z was acknowledged and is not in the store', { notes: [...sound.notes, ...notes('z', 'started')] }],
    ['b was seen to complete, and is lost', { notes: [...sound.notes, ...notes('b', 'ended')] }],
    ['b was handed back, and is lost', { notes: [...sound.notes, ...notes('b', 'told')] }],
    ['f is running after the last start', { jobs: [...sound.jobs, job('f', 'running')] }],
    ['f failed, and no job of this study does', { jobs: [...sound.jobs, job('f', 'failed')] }],
    ['a was completed and became lost', { changes: [{ id: 'a', before: 'completed', now: 'lost' }] }],
    [
      'b is lost, and its process lived',
      { disturbed: new Set(), jobs: [job('a', 'completed'), job('b', 'lost')] },
    ],
  ])('says: %s', (finding, change) => {
    expect(judge({ ...sound, ...change })).toContain(finding);
  });

  it('says of a completed job that nobody was told of, that never ran, or whose result is another', () => {
    const jobs = [job('f', 'completed', { delivered: false, result: 'g' })];
    expect(judge({ ...sound, jobs, notes: [] })).toEqual([
      'f has the result g',
      'f completed and never ran',
      'f completed, and nobody was told',
      'f was never marked as delivered',
    ]);
  });
});
