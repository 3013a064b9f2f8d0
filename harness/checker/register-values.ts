/**
 * S16 (c): a read shows a value that somebody wrote, under the version that this write made.
 *
 * Violated iff a read shows a version with another value than the accepted write that made it, or shows a deletion as an
 * entry; two reads show one version with two values; or no write that may have acted before the read's answer carries the
 * value. A refused or failed write cannot have written it.
 *
 *      w1   ├set k := "a"┤ made 4
 *      w2                     ├get k┤ shows 4, "b"
 */
import type { History } from '../history/history.ts';
import type { Tally } from './draft.ts';
import type { EntrySight } from './entry-accesses.ts';
import { accuseEntry, requestText, showed } from './entry-accusation.ts';
import type { KeyOrder } from './entry-order.ts';

export function checkValues(history: History, order: KeyOrder, found: Tally): void {
  const { key, maker, open } = order;
  const seen = new Map<number, EntrySight>();
  const { texts } = history;
  for (const sight of key.sights) {
    if (!sight.live || sight.version < 1) continue;
    const { version, value, row } = sight;
    const write = maker.get(version);
    const first = seen.get(version);
    if (first === undefined) seen.set(version, sight);
    const say = (part: string, what: string, because: string, beside: readonly number[]): void =>
      accuseEntry(history, found, {
        item: key.item,
        accused: row,
        beside,
        part,
        what,
        because,
        shown: [sight, first],
      });
    if (write?.deletes) {
      say(
        'deleted entry shown (c)',
        `${showed(sight)} version ${version}, which is a deletion; a deleted key must be absent`,
        `version ${version} was made by the delete ${requestText(history, write.row)}`,
        [write.row],
      );
    } else if (write && value >= 0 && write.value >= 0 && write.value !== value) {
      say(
        'value changed (c)',
        `a read showed version ${version} with ${texts.at(value)}, and it was written with ${texts.at(write.value)}; a version must not change`,
        `version ${version} was made by request ${requestText(history, write.row)}`,
        [write.row],
      );
    } else if (!write && first && first.value >= 0 && value >= 0 && first.value !== value) {
      say(
        'value changed (c)',
        `two reads showed version ${version}, one with ${texts.at(first.value)}, one with ${texts.at(value)}; a version must not change`,
        'one version has one value, whoever made it',
        [first.row],
      );
    } else if (
      !write &&
      !open.some(
        (one) => !one.deletes && one.inv <= sight.ret && (value < 0 || one.value < 0 || one.value === value),
      )
    ) {
      say(
        'value from nowhere (c)',
        `${showed(sight)} version ${version}${value < 0 ? '' : ` with ${texts.at(value)}`}, and nobody can have written that; a value must not come from nowhere`,
        'no accepted write made this version, and no write of unknown outcome that was sent before the answer carries the value',
        [],
      );
    }
  }
}
