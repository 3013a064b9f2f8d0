/** S22: the events of items, and what a trimmed feed still tells. */
import { describe } from 'vitest';
import type { EventRecord } from '../../../harness/history/record.ts';
import { event, finalFeed, onBoard } from '../../support/board-script.ts';
import { type Stage, testSituations } from '../../support/guarantee-table.ts';

const S22 = ['S22'];
const of = (id: number, kind: string, generation?: number, key = 'i'): EventRecord => ({
  id,
  kind,
  key,
  ...(generation === undefined ? {} : { generation }),
});

/** Item `i`: enqueued, claimed by w1, released, claimed by w2, completed. */
function worked({ h, w1, w2 }: Stage) {
  w1.enqueue('i', { at: [0, 1] });
  w1.claim('i', { at: [2, 3], generation: 1, leaseMs: 10, value: '{}' });
  w1.release('i', { at: [4, 5], generation: 1 });
  w2.claim('i', { at: [6, 7], generation: 2, leaseMs: 10, value: '{}' });
  w2.complete('i', { at: [8, 9], generation: 2 });
  return h;
}
const all = [
  of(1, 'enqueued', 0),
  of(2, 'claimed', 1),
  of(3, 'released', 1),
  of(4, 'claimed', 2),
  of(5, 'completed', 2),
];
const without = (id: number): EventRecord[] => [...all.filter((one) => one.id !== id), ...shown];
/** Of another item: the feed does tell of changes of every kind. */
const shown = ['enqueued', 'claimed', 'released', 'completed', 'nacked'].map((kind, i) =>
  of(10 + i, kind, 1, 'j'),
);

describe('S22 events of items', () => {
  testSituations([
    {
      name: 'S22 items - one event of each change - valid',
      write: (stage) => finalFeed(worked(stage), [40, 41], all),
    },
    ...[1, 2, 3, 4, 5].map((id) => ({
      name: `S22 items - the event of the ${all[id - 1]!.kind} ${all[id - 1]!.generation} is missing - violated`,
      write: (stage: Stage) => finalFeed(worked(stage), [40, 41], without(id)),
      broken: S22,
    })),
    {
      name: 'S22 items - the feed tells of no items at all: measured, not judged - valid',
      write: (stage) => {
        const h = worked(stage);
        onBoard(stage.w3).set('k', { at: [10, 11], made: 1 });
        finalFeed(h, [40, 41], [event(1, 'k', 1)]);
      },
    },
    {
      name: 'S22 items - a kind of which the feed tells nothing - valid',
      write: (stage) =>
        finalFeed(
          worked(stage),
          [40, 41],
          all.filter(({ kind }) => kind !== 'released'),
        ),
    },
    {
      name: 'S22 items - kinds of a store of its own, without versions - valid',
      write: (stage) => finalFeed(worked(stage), [40, 41], [of(1, 'leased'), of(2, 'finished')]),
    },
    {
      name: 'S22 items - events without a generation - valid',
      write: (stage) => finalFeed(worked(stage), [40, 41], [of(1, 'claimed'), of(2, 'completed')]),
    },
    {
      name: 'S22 items - the generation on the event is another - violated',
      write: (stage) => finalFeed(worked(stage), [40, 41], [...all.slice(0, 4), of(5, 'completed', 3)]),
      broken: S22,
    },
    {
      name: 'S22 items - two events of one completion - violated',
      write: (stage) => finalFeed(worked(stage), [40, 41], [...all, of(6, 'completed', 2)]),
      broken: S22,
    },
    {
      name: 'S22 items - two events of one grant - violated',
      write: (stage) => finalFeed(worked(stage), [40, 41], [...all, of(6, 'reclaimed', 2)]),
      broken: S22,
    },
    {
      name: 'S22 items - an item that dies twice - violated',
      write: (stage) => finalFeed(worked(stage), [40, 41], [...all, of(6, 'dead', 2), of(7, 'dead', 2)]),
      broken: S22,
    },
    {
      name: 'S22 items - an unknown claim has an event - valid',
      write: (stage) => {
        const { h, w1, w2 } = stage;
        w1.enqueue('i', { at: [0, 1] });
        w2.claimNext({ at: 2, prefix: '' });
        finalFeed(h, [40, 41], [of(1, 'enqueued', 0), of(2, 'claimed', 1)]);
      },
    },
    {
      name: 'S22 items - an unknown claim has none - valid',
      write: (stage) => {
        const { h, w1, w2 } = stage;
        w1.enqueue('i', { at: [0, 1] });
        w2.claim('i', { at: 2 });
        finalFeed(h, [40, 41], [of(1, 'enqueued', 0), ...shown]);
      },
    },
    {
      name: 'S22 items - a refused completion has none - valid',
      write: (stage) => {
        const h = worked(stage);
        stage.w1.complete('i', { at: [20, 21], generation: 1, answer: 'stale' });
        finalFeed(h, [40, 41], all);
      },
    },
    {
      name: 'S22 items - a release after the end of the lease may have changed nothing - valid',
      write: (stage) => {
        const { h, w1 } = stage;
        w1.enqueue('i', { at: [0, 1] });
        w1.claim('i', { at: [2, 3], generation: 1, leaseMs: 10, value: '{}' });
        w1.release('i', { at: [12, 13], generation: 1 });
        finalFeed(h, [40, 41], [all[0]!, all[1]!, ...shown]);
      },
    },
    {
      name: 'S22 items - a second release may have changed nothing - valid',
      write: (stage) => {
        const { h, w1 } = stage;
        w1.enqueue('i', { at: [0, 1] });
        w1.claim('i', { at: [2, 3], generation: 1, leaseMs: 10, value: '{}' });
        w1.release('i', { at: 4, generation: 1, lane: 1 });
        w1.nack('i', { at: [5, 6], generation: 1 });
        finalFeed(h, [40, 41], [all[0]!, all[1]!, all[2]!, ...shown]);
      },
    },
    {
      name: 'S22 items - a claim before its enqueue - violated',
      write: (stage) =>
        finalFeed(worked(stage), [40, 41], [of(1, 'claimed', 1), of(2, 'enqueued', 0), ...all.slice(2)]),
      broken: S22,
    },
    {
      name: 'S22 items - the end of a lease before its grant, in calls that overlapped - violated',
      write: (stage) => {
        const { h, w1, w2 } = stage;
        w1.claim('i', { at: [0, 9], generation: 1, leaseMs: 10 });
        w2.complete('i', { at: [1, 9], generation: 1 });
        finalFeed(h, [40, 41], [of(1, 'completed', 1), of(2, 'claimed', 1)]);
      },
      broken: S22,
    },
    {
      name: 'S22 items - grants against their generations, in calls that overlapped - violated',
      write: (stage) => {
        const { h, w1, w2, w3 } = stage;
        w1.claim('i', { at: [0, 9], generation: 1, leaseMs: 10 });
        w3.forceRelease('i', { at: [0, 9] });
        w2.claim('i', { at: [1, 9], generation: 2, leaseMs: 10 });
        finalFeed(h, [40, 41], [of(1, 'claimed', 2), of(2, 'claimed', 1)]);
      },
      broken: S22,
    },
    {
      name: 'S22 items - an item and an entry against real time - violated',
      write: (stage) => {
        const { h, w1, w2 } = stage;
        w1.claim('i', { at: [0, 1], generation: 1, leaseMs: 10 });
        onBoard(w2).set('k', { at: [2, 3], made: 1 });
        finalFeed(h, [40, 41], [event(1, 'k', 1), of(2, 'claimed', 1)]);
      },
      broken: S22,
    },
    {
      name: 'S22 items - an event of its item does not excuse a missing write of the same key - violated',
      write: (stage) => {
        const { h, w1, w2 } = stage;
        w1.claim('i', { at: [0, 1], generation: 1, leaseMs: 10 });
        const b = onBoard(w2);
        b.set('i', { at: [2, 3], made: 1 });
        b.set('k', { at: [4, 5], made: 1 });
        finalFeed(h, [40, 41], [of(1, 'claimed', 1), event(2, 'k', 1)]);
      },
      broken: S22,
    },
  ]);
});

describe('S22 a trimmed feed', () => {
  const events = (...ids: number[]) => ids.map((id) => event(id, 'k', id, 'appended'));
  function written({ w1 }: Stage, versions: number): void {
    const a = onBoard(w1);
    for (let i = 0; i < versions; i++) a.append('k', { at: [i * 10, i * 10 + 1], made: i + 1 });
  }
  testSituations([
    {
      name: 'S22 trimmed - followers read all of it before - valid',
      write: (stage) => {
        written(stage, 5);
        const b = onBoard(stage.w2);
        b.since({ at: [25, 26], events: events(1, 2, 3) });
        b.trim(3, { at: [27, 28] });
        b.since({ at: [50, 51], from: 3, events: events(4, 5) });
        b.trim(5, { at: [52, 53] });
        finalFeed(stage.h, [60, 61], events(5), { gap: true });
      },
    },
    {
      name: 'S22 trimmed - a write before the trim is on no page, and the pages leave no hole - violated',
      write: (stage) => {
        written(stage, 5);
        const b = onBoard(stage.w2);
        b.since({ at: [25, 26], events: events(1, 3), to: 3 });
        b.since({ at: [50, 51], from: 3, events: events(4, 5) });
        finalFeed(stage.h, [60, 61], events(5), { gap: true });
      },
      broken: S22,
    },
    {
      name: 'S22 trimmed - nobody read it before - valid',
      write: (stage) => {
        written(stage, 5);
        onBoard(stage.w2).trim(5, { at: [45, 46] });
        finalFeed(stage.h, [60, 61], events(5), { gap: true });
      },
    },
    {
      name: 'S22 trimmed - a write after what is kept has no event - violated',
      write: (stage) => {
        written(stage, 5);
        finalFeed(stage.h, [60, 61], events(4), { gap: true });
      },
      broken: S22,
    },
    {
      name: 'S22 trimmed - the cut is not announced (M54) - violated',
      write: (stage) => {
        written(stage, 5);
        const b = onBoard(stage.w2);
        b.since({ at: [25, 26], events: events(1, 2, 3) });
        b.trim(4, { at: [27, 28] });
        finalFeed(stage.h, [60, 61], events(4, 5));
      },
      broken: S22,
    },
  ]);
});
