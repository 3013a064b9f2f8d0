import { describe, expect, test } from 'vitest';
import { finalEntries, onBoard } from '../../support/board-script.ts';
import { judgeSituation, type Stage, testSituations, violationsOf } from '../../support/guarantee-table.ts';

const board = ({ h, w1, w2, w3 }: Stage) => ({ h, a: onBoard(w1), b: onBoard(w2), c: onBoard(w3) });
const S16 = ['S16'];

describe('S16 (a) lost update', () => {
  testSituations([
    {
      name: 'S16a - each write follows the one it read - valid',
      write: (stage) => {
        const { a, b } = board(stage);
        a.set('k', { at: [0, 1], from: 0, made: 1 });
        b.set('k', { at: [2, 3], from: 1, made: 2 });
      },
    },
    {
      name: 'S16a - two accepted from one version - violated',
      write: (stage) => {
        const { a, b } = board(stage);
        a.set('k', { at: [0, 1], from: 0, made: 1 });
        a.set('k', { at: [2, 5], from: 1, made: 2 });
        b.set('k', { at: [2, 5], from: 1, made: 3 });
      },
      broken: S16,
    },
    {
      name: 'S16a - the second from that version was refused - valid',
      write: (stage) => {
        const { a, b } = board(stage);
        a.set('k', { at: [0, 1], from: 0, made: 1 });
        a.set('k', { at: [2, 5], from: 1, made: 2 });
        b.set('k', { at: [2, 5], from: 1, answer: 'conflict' });
      },
    },
    {
      name: 'S16a - the other one is unknown - valid',
      write: (stage) => {
        const { a, b } = board(stage);
        a.set('k', { at: [0, 1], from: 0, made: 1 });
        a.set('k', { at: [2, 5], from: 1, made: 2 });
        b.set('k', { at: 2, from: 1 });
      },
    },
    {
      name: 'S16a - accepted as absent behind a value - violated',
      write: (stage) => {
        const { a, b } = board(stage);
        a.set('k', { at: [0, 1], made: 1 });
        b.set('k', { at: [2, 3], from: 0, made: 2 });
      },
      broken: S16,
    },
    {
      name: 'S16a - accepted as absent behind a delete - valid',
      write: (stage) => {
        const { a, b } = board(stage);
        a.set('k', { at: [0, 1], made: 1 });
        a.remove('k', { at: [2, 3], from: 1, made: 2 });
        b.set('k', { at: [4, 5], from: 0, made: 3 });
      },
    },
    {
      name: 'S16a - accepted from a version that was a delete - violated',
      write: (stage) => {
        const { a, b } = board(stage);
        a.remove('k', { at: [0, 1], made: 1 });
        b.set('k', { at: [4, 5], from: 1, made: 2 });
      },
      broken: S16,
    },
    {
      name: 'S16a - one commit writes a key twice - valid',
      write: (stage) => {
        const { a } = board(stage);
        a.commit(
          [
            { key: 'k', from: 0, made: 1 },
            { key: 'k', from: 1, made: 2 },
          ],
          { at: [0, 1] },
        );
      },
    },
  ]);
});

describe('S16 (b) (f) order of versions', () => {
  testSituations([
    {
      name: 'S16b - overlapping writes in either order - valid',
      write: (stage) => {
        const { a, b } = board(stage);
        a.append('k', { at: [0, 5], made: 2 });
        b.append('k', { at: [1, 6], made: 1 });
      },
    },
    {
      name: 'S16b - the later write made the lower version - violated',
      write: (stage) => {
        const { a, b } = board(stage);
        a.append('k', { at: [0, 1], made: 2 });
        b.append('k', { at: [2, 3], made: 1 });
      },
      broken: S16,
    },
    {
      name: 'S16b - equal stamps are concurrent - valid',
      write: (stage) => {
        const { a, b } = board(stage);
        a.append('k', { at: [0, 2], made: 2 });
        b.append('k', { at: [2, 3], made: 1 });
      },
    },
    {
      name: 'S16b - one version made twice - violated',
      write: (stage) => {
        const { a, b } = board(stage);
        a.append('k', { at: [0, 5], made: 1 });
        b.append('k', { at: [1, 6], made: 1 });
      },
      broken: S16,
    },
    {
      name: 'S16f - the version came back after a delete (M46) - violated',
      write: (stage) => {
        const { a } = board(stage);
        a.set('k', { at: [0, 1], from: 0, made: 1, value: '"x"' });
        a.remove('k', { at: [2, 3], from: 1, made: 2 });
        a.set('k', { at: [4, 5], from: 0, made: 1, value: '"y"' });
      },
      broken: S16,
    },
  ]);
});

describe('S16 (c) values', () => {
  testSituations([
    {
      name: 'S16c - the value that was written - valid',
      write: (stage) => {
        const { a, b } = board(stage);
        a.set('k', { at: [0, 1], made: 1, value: '"x"' });
        b.get('k', { at: [2, 3], shows: 1, value: '"x"' });
        b.list('', { at: [4, 5], entries: [{ key: 'k', version: 1, value: '"x"' }] });
      },
    },
    {
      name: 'S16c - another value under the version - violated',
      write: (stage) => {
        const { a, b } = board(stage);
        a.set('k', { at: [0, 1], made: 1, value: '"x"' });
        b.list('', { at: [4, 5], entries: [{ key: 'k', version: 1, value: '"y"' }] });
      },
      broken: S16,
    },
    {
      name: 'S16c - a value that an unknown write carries - valid',
      write: (stage) => {
        const { a, b } = board(stage);
        a.set('k', { at: 0, value: '"x"' });
        b.get('k', { at: [2, 3], shows: 1, value: '"x"' });
      },
    },
    {
      name: 'S16c - a value that a refused write carried - violated',
      write: (stage) => {
        const { a, b } = board(stage);
        a.set('k', { at: [0, 1], from: 7, answer: 'conflict', value: '"x"' });
        b.get('k', { at: [2, 3], shows: 1, value: '"x"' });
      },
      broken: S16,
    },
    {
      name: 'S16c - a deletion shown as an entry - violated',
      write: (stage) => {
        const { a, b } = board(stage);
        a.set('k', { at: [0, 1], made: 1, value: '"x"' });
        a.remove('k', { at: [2, 3], made: 2 });
        b.get('k', { at: [4, 5], shows: 2, value: '"x"' });
      },
      broken: S16,
    },
    {
      name: 'S16c - two reads of one version differ - violated',
      write: (stage) => {
        const { a, b } = board(stage);
        a.set('k', { at: 0, value: '"x"' });
        a.set('k', { at: 0, value: '"y"' });
        b.get('k', { at: [2, 3], shows: 1, value: '"x"' });
        b.get('k', { at: [2, 3], shows: 1, value: '"y"' });
      },
      broken: S16,
    },
  ]);
});

describe('S16 (d) reads', () => {
  const written = (stage: Stage) => {
    const { a, b, c, h } = board(stage);
    a.set('k', { at: [0, 1], made: 1 });
    a.set('k', { at: [2, 5], made: 2 });
    return { a, b, c, h };
  };
  testSituations([
    {
      name: 'S16d - the old value while the new one is written - valid',
      write: (stage) => {
        written(stage).b.get('k', { at: [3, 4], shows: 1 });
      },
    },
    {
      name: 'S16d - the old value afterwards - violated',
      write: (stage) => {
        written(stage).b.get('k', { at: [6, 7], shows: 1 });
      },
      broken: S16,
    },
    {
      name: 'S16d - the old value afterwards, reads declared monotonic - valid',
      write: (stage) => {
        written(stage).b.get('k', { at: [6, 7], shows: 1 });
      },
      declares: { reads: 'monotonic' },
    },
    {
      name: 'S16d - new, then old by another client, while it is written - violated',
      write: (stage) => {
        const { b, c } = written(stage);
        b.get('k', { at: [2, 3], shows: 2 });
        c.get('k', { at: [4, 5], shows: 1 });
      },
      broken: S16,
    },
    {
      name: 'S16d - the same by one client, reads declared monotonic - violated',
      write: (stage) => {
        const { b } = written(stage);
        b.get('k', { at: [2, 3], shows: 2 });
        b.get('k', { at: [4, 5], shows: 1 });
      },
      declares: { reads: 'monotonic' },
      broken: S16,
    },
    {
      name: 'S16d - the same by one client, reads declared eventual - valid',
      write: (stage) => {
        const { b } = written(stage);
        b.get('k', { at: [2, 3], shows: 2 });
        b.get('k', { at: [4, 5], shows: 1 });
      },
      declares: { reads: 'eventual' },
    },
    {
      name: 'S16d - shown before it was sent - violated',
      write: (stage) => {
        const { a, b } = board(stage);
        b.get('k', { at: [0, 1], shows: 1 });
        a.set('k', { at: [2, 3], made: 1 });
      },
      broken: S16,
    },
    {
      name: 'S16d - no entry after a write - violated',
      write: (stage) => {
        written(stage).b.get('k', { at: [6, 7] });
      },
      broken: S16,
    },
    {
      name: 'S16d - no entry, and a delete is unknown - valid',
      write: (stage) => {
        const { b, c } = written(stage);
        c.remove('k', { at: 3 });
        b.get('k', { at: [6, 7] });
      },
    },
    {
      name: 'S16d - no entry, and the unknown delete died before the write - violated',
      write: (stage) => {
        const { a, b, c } = board(stage);
        c.remove('k', { at: 0 });
        stage.w3.exits(1);
        a.set('k', { at: [2, 3], made: 1 });
        b.get('k', { at: [6, 7] });
      },
      embedded: true,
      broken: S16,
    },
    {
      name: 'S16d - no entry, and then what was there before, with one delete gone - violated',
      write: (stage) => {
        const { a, b } = board(stage);
        a.set('k', { at: [0, 1], made: 1 });
        b.remove('k', { at: [2, 10], made: 2 });
        b.get('k', { at: [3, 4] });
        a.get('k', { at: [5, 6], shows: 1 });
      },
      broken: S16,
    },
    {
      name: 'S16d - the final read shows the newest - valid',
      write: (stage) => {
        const { h } = written(stage);
        finalEntries(h, [9, 10], [{ key: 'k', version: 2, value: '"v2"' }]);
      },
    },
    {
      name: 'S16d - the final read lacks the newest (lost write) - violated',
      write: (stage) => {
        const { h } = written(stage);
        finalEntries(h, [9, 10], [{ key: 'k', version: 1, value: '"v1"' }]);
      },
      broken: S16,
    },
    {
      name: 'S16d - the final read lacks the key - violated',
      write: (stage) => {
        finalEntries(written(stage).h, [9, 10], []);
      },
      broken: S16,
    },
    {
      name: 'S16d - the final read was of other keys - valid',
      write: (stage) => {
        finalEntries(written(stage).h, [9, 10], [], { prefix: 'other/' });
      },
    },
    {
      name: 'S16d - the final read was not read to its end - valid',
      write: (stage) => {
        finalEntries(written(stage).h, [9, 10], [], { complete: false });
      },
    },
  ]);
});

describe('S16 (e) spurious conflict', () => {
  testSituations([
    {
      name: 'S16e - refused, though nobody else wrote - violated',
      write: (stage) => {
        const { a, b } = board(stage);
        a.set('k', { at: [0, 1], made: 1 });
        b.set('k', { at: [2, 3], from: 1, answer: 'conflict' });
      },
      broken: S16,
    },
    {
      name: 'S16e - another write was under way - valid',
      write: (stage) => {
        const { a, b, c } = board(stage);
        a.set('k', { at: [0, 1], made: 1 });
        c.set('k', { at: [3, 9], made: 2 });
        b.set('k', { at: [2, 3], from: 1, answer: 'conflict' });
      },
    },
    {
      name: 'S16e - an unknown write may have been first - valid',
      write: (stage) => {
        const { a, b, c } = board(stage);
        a.set('k', { at: [0, 1], made: 1 });
        c.set('k', { at: 1 });
        b.set('k', { at: [2, 3], from: 1, answer: 'conflict' });
      },
    },
    {
      name: 'S16e - of two conditions only one held - valid',
      write: (stage) => {
        const { a, b } = board(stage);
        a.set('k', { at: [0, 1], made: 1 });
        a.set('l', { at: [0, 1], made: 1 });
        b.commit(
          [
            { key: 'k', from: 1 },
            { key: 'l', from: 0 },
          ],
          { at: [2, 3], answer: 'conflict' },
        );
      },
    },
    {
      name: 'S16e - both conditions held - violated',
      write: (stage) => {
        const { a, b } = board(stage);
        a.set('k', { at: [0, 1], made: 1 });
        a.set('l', { at: [0, 1], made: 1 });
        b.commit(
          [
            { key: 'k', from: 1 },
            { key: 'l', from: 1 },
          ],
          { at: [2, 3], answer: 'conflict' },
        );
      },
      broken: S16,
    },
    {
      name: 'S16e - it also required something of another key - valid',
      write: (stage) => {
        const { a, b } = board(stage);
        a.set('k', { at: [0, 1], made: 1 });
        b.commit([{ key: 'k', from: 1 }], { at: [2, 3], answer: 'conflict', require: { other: 1 } });
      },
    },
    {
      name: 'S16e - refused by its fence - valid',
      write: (stage) => {
        const { a, b } = board(stage);
        a.set('k', { at: [0, 1], made: 1 });
        b.set('k', { at: [2, 3], from: 1, answer: 'stale' });
      },
    },
    {
      name: 'S16e - asked for absent, and the key was never written - violated',
      write: (stage) => {
        const { a, b } = board(stage);
        a.set('other', { at: [0, 1], made: 1 });
        b.set('k', { at: [2, 3], from: 0, answer: 'conflict' });
      },
      broken: S16,
    },
    {
      name: 'S16e - asked for absent, and the key had been deleted - violated',
      write: (stage) => {
        const { a, b } = board(stage);
        a.set('k', { at: [0, 1], made: 1 });
        a.remove('k', { at: [2, 3], made: 2 });
        b.set('k', { at: [4, 5], from: 0, answer: 'conflict' });
      },
      broken: S16,
    },
  ]);
});

describe('S16 (g) writers', () => {
  testSituations([
    {
      name: 'S16g - a gap, and an unknown write - valid',
      write: (stage) => {
        const { a, b } = board(stage);
        a.append('k', { at: [0, 1], made: 1 });
        b.append('k', { at: 1 });
        a.append('k', { at: [2, 3], made: 3 });
      },
    },
    {
      name: 'S16g - a gap, and nobody else wrote - violated',
      write: (stage) => {
        const { a } = board(stage);
        a.append('k', { at: [0, 1], made: 1 });
        a.append('k', { at: [2, 3], made: 3 });
      },
      broken: S16,
    },
    {
      name: 'S16g - the unknown write had died before - violated',
      write: (stage) => {
        const { a, b } = board(stage);
        b.append('k', { at: 0 });
        stage.w2.exits(1);
        a.append('k', { at: [2, 3], made: 1 });
        a.append('k', { at: [4, 5], made: 3 });
      },
      embedded: true,
      broken: S16,
    },
    {
      name: 'S16g - one unknown write, two versions without a writer - violated',
      write: (stage) => {
        const { a, b } = board(stage);
        b.append('k', { at: 0 });
        a.append('k', { at: [2, 3], made: 3 });
      },
      broken: S16,
    },
    {
      name: 'S16g - the version of an event that nobody wrote - violated',
      write: (stage) => {
        const { a, b } = board(stage);
        a.append('k', { at: [0, 1], made: 1 });
        b.since({ at: [2, 3], events: [{ id: 1, kind: 'set', key: 'k', version: 2 }] });
      },
      broken: S16,
    },
  ]);
});

describe('S16', () => {
  testSituations([
    {
      name: 'S16 - reads of keys that nobody wrote - valid',
      write: (stage) => {
        const { a } = board(stage);
        a.get('k', { at: [0, 1] });
        a.list('', { at: [2, 3] });
      },
    },
    {
      name: 'S16 - entries that were there before, and no write - valid',
      write: (stage) => {
        board(stage).a.get('k', { at: [0, 1], shows: 5 });
      },
    },
    { name: 'S16 - nothing at all - valid', write: () => undefined },
  ]);

  test('the story names the part, the key, the versions and what each read showed', () => {
    const judged = judgeSituation({
      name: '',
      write: (stage) => {
        const { a, b, h } = board(stage);
        a.set('k', { at: [0, 1], from: 0, made: 1, value: '"x"' });
        b.set('k', { at: [2, 3], from: 1, made: 2, value: '"y"' });
        finalEntries(h, [9, 10], [{ key: 'k', version: 1, value: '"x"' }]);
      },
    });
    const [violation] = violationsOf(judged);
    expect(violation).toMatchObject({
      guarantee: 'S16',
      key: 'k',
      statement:
        'k: lost write (d): the final read showed version 1 after version 2 had been written; an accepted write must stay',
      confirmedBy: 'recount',
      witness: [
        { op: 'commit', detail: 'sets, from version 1, value "y": version 2', accused: false },
        { op: 'list', detail: 'shows version 1, value "x"', accused: true },
      ],
    });
    expect(violation?.assumed).toContain('the store declares reads linearizable');
  });

  test('what the workload did not use is not tested, with the reason', () => {
    const why = (write: (stage: Stage) => void) =>
      Object.fromEntries(
        judgeSituation({ name: '', write }).findings.map(({ guarantee, notTested }) => [
          guarantee,
          notTested,
        ]),
      );
    expect(why(({ w1 }) => w1.claim('k', { at: [0, 1], generation: 1 }))).toMatchObject({
      S16: 'the workload wrote and read no entries',
      S20: 'the workload read no feed',
      S22: 'the workload read no feed',
    });
    const log = why((stage) => board(stage).a.append('k', { at: [0, 1], made: 1 }));
    expect(log).toMatchObject({ S3: 'the workload leased no items', S22: 'the workload read no feed' });
    expect(log.S16).toBeUndefined();
  });
});
