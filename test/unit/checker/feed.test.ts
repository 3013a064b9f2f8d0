import { describe, expect, test } from 'vitest';
import { event, finalFeed, onBoard } from '../../support/board-script.ts';
import { judgeSituation, type Stage, testSituations, violationsOf } from '../../support/guarantee-table.ts';

const board = ({ h, w1, w2, w3 }: Stage) => ({ h, a: onBoard(w1), b: onBoard(w2), c: onBoard(w3) });

/** Writes of one key, each after the one before, at 0, 10, 20, …: versions 1, 2, 3, … */
function written(stage: Stage, versions: number) {
  const all = board(stage);
  for (let i = 0; i < versions; i++) all.a.append('k', { at: [i * 10, i * 10 + 1], made: i + 1 });
  return all;
}

const events = (...ids: number[]) => ids.map((id) => event(id, 'k', id, 'appended'));

describe('S20 event ids', () => {
  testSituations([
    {
      name: 'S20 - two followers see the same events - valid',
      write: (stage) => {
        const { b, c } = written(stage, 2);
        b.since({ at: [30, 31], events: events(1, 2) });
        c.since({ at: [30, 31], from: 1, events: events(2) });
      },
    },
    {
      name: 'S20 - one id, two events (M47) - violated',
      write: (stage) => {
        const { b, c } = written(stage, 2);
        b.since({ at: [5, 6], events: events(1) });
        c.since({ at: [30, 31], events: [event(1, 'k', 2, 'appended')] });
      },
      broken: ['S20'],
    },
    {
      name: 'S20 - an id of 0 - violated',
      write: (stage) => {
        written(stage, 1).b.since({ at: [5, 6], events: [event(0, 'k', 1)] });
      },
      broken: ['S20', 'S22'],
    },
    {
      name: 'S20 - an id that is no whole number - violated',
      write: (stage) => {
        written(stage, 1).b.since({ at: [5, 6], events: [event(1.5, 'k', 1)] });
      },
      broken: ['S20'],
    },
    {
      name: 'S20 - the pages of an unknown read - valid',
      write: (stage) => {
        written(stage, 1).b.since({ at: 5 });
      },
    },
  ]);
});

describe('S22 pages', () => {
  testSituations([
    {
      name: 'S22 - a follower goes on from its cursor - valid',
      write: (stage) => {
        const { b, h } = written(stage, 3);
        b.since({ at: [15, 16], events: events(1, 2) });
        b.since({ at: [30, 31], from: 2, events: events(3) });
        b.since({ at: [32, 33], from: 3 });
        finalFeed(h, [40, 41], events(1, 2, 3));
      },
    },
    {
      name: 'S22 - an event appears late with a lower id (M30) - violated',
      write: (stage) => {
        const { b, h } = written(stage, 3);
        b.since({ at: [30, 31], events: events(1, 3) });
        finalFeed(h, [40, 41], events(1, 2, 3));
      },
      broken: ['S22'],
    },
    {
      name: 'S22 - the same, and a gap was announced for what is still there - violated',
      write: (stage) => {
        const { b, h } = written(stage, 3);
        b.since({ at: [30, 31], events: events(1, 3), gap: true });
        finalFeed(h, [40, 41], events(1, 2, 3));
      },
      broken: ['S22'],
    },
    {
      name: 'S22 - events were trimmed, and the gap announced - valid',
      write: (stage) => {
        const { b, c, h } = written(stage, 3);
        c.since({ at: [15, 16], events: events(1, 2) });
        b.since({ at: [30, 31], events: events(3), gap: true });
        finalFeed(h, [40, 41], events(3), { gap: true });
      },
    },
    {
      name: 'S22 - events were trimmed, and nothing said - violated',
      write: (stage) => {
        const { b, c } = written(stage, 3);
        c.since({ at: [15, 16], events: events(1, 2) });
        b.since({ at: [30, 31], events: events(3) });
      },
      broken: ['S22'],
    },
    {
      name: 'S22 - another follower is behind - valid',
      write: (stage) => {
        const { b, c } = written(stage, 3);
        c.since({ at: [30, 31], events: events(1, 2, 3) });
        b.since({ at: [32, 33], events: events(1) });
      },
    },
    {
      name: 'S22 - ids do not rise within a page - violated',
      write: (stage) => {
        written(stage, 3).b.since({ at: [30, 31], events: events(1, 3, 2) });
      },
      broken: ['S22'],
    },
    {
      name: 'S22 - an event at the cursor that was handed in - violated',
      write: (stage) => {
        written(stage, 3).b.since({ at: [30, 31], from: 2, events: events(2, 3) });
      },
      broken: ['S22'],
    },
    {
      name: 'S22 - the cursor goes back - violated',
      write: (stage) => {
        written(stage, 3).b.since({ at: [30, 31], from: 3, to: 1 });
      },
      broken: ['S22'],
    },
    {
      name: 'S22 - a cursor beyond the end - valid',
      write: (stage) => {
        const { b, h } = written(stage, 3);
        b.since({ at: [30, 31], from: 99 });
        finalFeed(h, [40, 41], events(1, 2, 3));
      },
    },
    {
      name: 'S22 - an empty feed - valid',
      write: (stage) => {
        board(stage).b.since({ at: [0, 1] });
      },
    },
  ]);
});

describe('S22 events of writes', () => {
  testSituations([
    {
      name: 'S22 - a write without an event - violated',
      write: (stage) => {
        finalFeed(written(stage, 3).h, [40, 41], events(1, 2));
      },
      broken: ['S22'],
    },
    {
      name: 'S22 - the write has no answer - valid',
      write: (stage) => {
        const { b, h } = written(stage, 2);
        b.append('k', { at: 20 });
        finalFeed(h, [40, 41], events(1, 2));
      },
    },
    {
      name: 'S22 - written while the feed was read - valid',
      write: (stage) => {
        const { b, h } = written(stage, 2);
        b.append('k', { at: [39, 40], made: 3 });
        finalFeed(h, [40, 41], events(1, 2));
      },
    },
    {
      name: 'S22 - the feed was not read to its end - valid',
      write: (stage) => {
        finalFeed(written(stage, 3).h, [40, 41], events(1, 2), { complete: false });
      },
    },
    {
      name: 'S22 - the start of the feed was trimmed - valid',
      write: (stage) => {
        finalFeed(written(stage, 3).h, [40, 41], events(2, 3), { gap: true });
      },
    },
    {
      name: 'S22 - events that name no version - valid',
      write: (stage) => {
        finalFeed(
          written(stage, 2).h,
          [40, 41],
          [
            { id: 1, kind: 'set', key: 'k' },
            { id: 2, kind: 'set', key: 'k' },
          ],
        );
      },
    },
    {
      name: 'S22 - two events of one write - violated',
      write: (stage) => {
        finalFeed(written(stage, 1).h, [40, 41], [event(1, 'k', 1), event(2, 'k', 1)]);
      },
      broken: ['S22'],
    },
    {
      name: 'S22 - ids against the versions of a key - violated',
      write: (stage) => {
        const { a, b, h } = board(stage);
        a.append('k', { at: [0, 9], made: 1 });
        b.append('k', { at: [1, 9], made: 2 });
        finalFeed(h, [40, 41], [event(1, 'k', 2), event(2, 'k', 1)]);
      },
      broken: ['S22'],
    },
    {
      name: 'S22 - ids against real time, of two keys - violated',
      write: (stage) => {
        const { a, b, h } = board(stage);
        a.append('k', { at: [0, 1], made: 1 });
        b.append('l', { at: [2, 3], made: 1 });
        finalFeed(h, [40, 41], [event(1, 'l', 1), event(2, 'k', 1)]);
      },
      broken: ['S22'],
    },
    {
      name: 'S22 - ids of two keys written at the same time - valid',
      write: (stage) => {
        const { a, b, h } = board(stage);
        a.append('k', { at: [0, 2], made: 1 });
        b.append('l', { at: [1, 3], made: 1 });
        finalFeed(h, [40, 41], [event(1, 'l', 1), event(2, 'k', 1)]);
      },
    },
  ]);

  test('the story shows the page that skipped and the one that shows the event', () => {
    const [violation] = violationsOf(
      judgeSituation({
        name: '',
        write: (stage) => {
          const { b, h } = written(stage, 3);
          b.since({ at: [30, 31], events: events(1, 3) });
          finalFeed(h, [40, 41], events(1, 2, 3));
        },
      }),
    );
    expect(violation).toMatchObject({
      key: 'k',
      statement:
        'feed skipped an event: a page behind cursor 0 moved the cursor to 3 without event 2 (appended k, version 2); a follower must miss nothing',
      witness: [
        { op: 'since', detail: 'answers events 1 to 3 behind cursor 0, cursor 3', accused: true },
        { op: 'since', detail: 'shows event 2 (appended k, version 2)', accused: false },
      ],
    });
  });
});
