/** O3, O4 and O17 against a naive count over the script itself, on random histories of a store that may be broken in any way. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { refused, Script } from '../../support/records.ts';
import { seen } from './seen.ts';

interface Call {
  readonly who: number;
  readonly item: number;
  readonly generation: number;
  readonly op: 'complete' | 'heartbeat' | 'release' | 'nack';
  readonly at: number;
  readonly answer: 'accepted' | 'refused' | 'info';
}
interface Grant {
  readonly who: number;
  readonly item: number;
  readonly at: number;
}
/** Each takes 1 ms from its invoke. A grant's generation is its place in time among those of its item. */
interface Drawn {
  readonly grants: readonly Grant[];
  readonly calls: readonly Call[];
  readonly stops: readonly { readonly who: number; readonly from: number; readonly length: number }[];
}

const LABELS = ['w1', 'w1', 'w2'];
const LEASE = 100;
const who = fc.integer({ min: 0, max: 2 });
const item = fc.integer({ min: 0, max: 1 });
const at = fc.integer({ min: 1, max: 200 }).map((step) => step * 5);
const drawn: fc.Arbitrary<Drawn> = fc.record({
  grants: fc.uniqueArray(fc.record({ who, item, at }), {
    maxLength: 8,
    selector: ({ item: key, at: time }) => `${key} ${time}`,
  }),
  calls: fc.array(
    fc.record({
      who,
      item,
      generation: fc.integer({ min: 1, max: 5 }),
      op: fc.constantFrom('complete', 'heartbeat', 'release', 'nack'),
      at,
      answer: fc.constantFrom('accepted', 'refused', 'info'),
    }),
    { maxLength: 12 },
  ),
  stops: fc.array(
    fc.record({
      who,
      from: at.map((time) => time + 2),
      length: fc.integer({ min: 1, max: 80 }).map((step) => step * 5),
    }),
    { maxLength: 2 },
  ),
});

it('counts as the definition says (property)', () => {
  fc.assert(
    fc.property(drawn, ({ grants, calls: all, stops: drawnStops }) => {
      const numbered = [...grants]
        .sort((a, b) => a.at - b.at)
        .map((grant, i, sorted) => ({
          ...grant,
          generation: sorted.slice(0, i + 1).filter((other) => other.item === grant.item).length,
        }));
      const held = (call: Call) =>
        numbered.find((g) => g.item === call.item && g.generation === call.generation);
      // Only the holder calls: a process does not know other people's tokens.
      const calls = all.filter((call) => held(call)?.who === call.who && held(call)!.at + 1 < call.at);
      // Stops of one process one after the other.
      const stops = drawnStops.filter(
        (stop, i) => drawnStops.findIndex((other) => other.who === stop.who) === i,
      );
      const script = new Script().phase('main', 0);
      const workers = LABELS.map((label) => script.worker(label));
      for (const { who: w, from, length } of stops) script.stop(workers[w]!, from, from + length);
      for (const g of numbered)
        workers[g.who]!.grant(g.at, g.at + 1, `k${g.item}`, g.generation, { leaseMs: LEASE });
      for (const { who: w, op, at: time, item: key, generation, answer } of calls) {
        workers[w]![op](
          time,
          time + 1,
          `k${key}`,
          generation,
          answer === 'refused' ? refused('stale') : answer,
        );
      }

      const later = (call: Call) =>
        numbered.filter((g) => g.item === call.item && g.generation > call.generation && g.at + 1 < call.at);
      const staleCalls = calls.filter((call) => later(call).length > 0);
      const countRefused = (...ops: Call['op'][]) =>
        staleCalls.filter(({ op, answer }) => ops.includes(op) && answer === 'refused').length;
      const leasesOf = (list: readonly Call[]) =>
        new Set(list.map((call) => `${call.item} ${call.generation}`)).size;
      const met = staleCalls.filter(
        (call) => call.answer !== 'info' && later(call).some((g) => LABELS[g.who] === LABELS[call.who]),
      );
      const woke = staleCalls.filter((call) => {
        const stop = stops.find((other) => other.who === call.who);
        const grant = held(call)!;
        if (!stop || call.answer === 'info' || grant.at + 1 >= stop.from || call.at < stop.from + stop.length)
          return false;
        const renewals = calls.filter(
          (other) =>
            other.op === 'heartbeat' &&
            other.answer !== 'refused' &&
            other.item === call.item &&
            other.generation === call.generation &&
            other.at <= stop.from,
        );
        const ends = [grant, ...renewals].map(
          ({ at: sent, ...rest }) =>
            Math.min('answer' in rest && rest.answer === 'info' ? stop.from : sent + 1, stop.from) +
            LEASE +
            1,
        );
        return stop.from + stop.length > Math.max(...ends);
      });
      expect({
        complete: seen('O4.complete', script),
        heartbeat: seen('O4.heartbeat', script),
        release: seen('O4.release', script),
        twins: seen('O17', script),
        zombies: seen('O3', script),
      }).toEqual({
        complete: countRefused('complete'),
        heartbeat: countRefused('heartbeat'),
        release: countRefused('release', 'nack'),
        twins: leasesOf(met),
        zombies: leasesOf(woke),
      });
    }),
    { numRuns: 1500 },
  );
});
