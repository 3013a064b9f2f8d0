/**
 * S16 (a), (b), (f): a conditional write is accepted only from the version that it names, and each version is made once.
 *
 * Violated iff two accepted writes were made from the same version (a); an accepted write from v made another version than
 * v + 1, or v was a deletion (a); one from "absent" followed a version that was not a deletion (a); two accepted writes made
 * the same version (b), after a deletion (f).
 *
 *      w1   ├set k from 3┤ made 4
 *      w2      ├set k from 3┤ made 5          w2 wrote over what w1 wrote, and never saw it
 */
import type { History } from '../history/history.ts';
import type { Tally } from './draft.ts';
import type { EntryWrite } from './entry-accesses.ts';
import { accuseEntry, requestText } from './entry-accusation.ts';
import { type KeyOrder, mayBeAbsent } from './entry-states.ts';

export function checkUpdates(history: History, order: KeyOrder, found: Tally): void {
  const { key } = order;
  const made = [...key.made].sort((a, b) => a.ret - b.ret || a.row - b.row);
  const from = new Map<number, EntryWrite>();
  const versions = new Map<number, EntryWrite>();
  for (const write of made) {
    const { version, expected = 0 } = write;
    const first = versions.get(version);
    const rival = expected > 0 ? from.get(expected) : undefined;
    if (first === undefined) versions.set(version, write);
    if (expected > 0 && rival === undefined) from.set(expected, write);
    if (rival !== undefined) lostUpdate(history, order, found, write, rival);
    else if (first !== undefined) twice(history, order, found, write, first);
    else if (write.expected !== undefined) wrongBase(history, order, found, write, write.version);
  }
  for (const [version, write] of order.maker) {
    if (write.version !== version && write.expected !== undefined)
      wrongBase(history, order, found, write, version);
  }
}

function lostUpdate(
  history: History,
  { key }: KeyOrder,
  found: Tally,
  write: EntryWrite,
  rival: EntryWrite,
): void {
  accuseEntry(history, found, {
    item: key.item,
    accused: write.row,
    beside: [rival.row],
    part: 'lost update (a)',
    what: `two writes from version ${write.expected} were accepted, and made version ${rival.version} and version ${write.version}; the second must be refused as conflict`,
    because: `requests ${requestText(history, rival.row)} and ${requestText(history, write.row)} both asked for version ${write.expected}`,
  });
}

function twice(
  history: History,
  { key }: KeyOrder,
  found: Tally,
  write: EntryWrite,
  first: EntryWrite,
): void {
  const deletion = key.made.find(
    (one) =>
      one.deletes && one.version >= write.version && one.inv <= write.ret && one !== first && one !== write,
  );
  accuseEntry(history, found, {
    item: key.item,
    accused: write.row,
    beside: deletion ? [first.row, deletion.row] : [first.row],
    part: deletion ? 'version returned after a delete (f)' : 'version made twice (b)',
    what: `two accepted writes made version ${write.version}; every write must make a new one${deletion ? ', also after a delete' : ''}`,
    because: `requests ${requestText(history, first.row)} and ${requestText(history, write.row)} were both answered with version ${write.version}`,
  });
}

/** Accepted from a version that was not there. */
function wrongBase(
  history: History,
  order: KeyOrder,
  found: Tally,
  write: EntryWrite,
  version: number,
): void {
  const { key, maker, shown } = order;
  const { expected = 0 } = write;
  const before = maker.get(version - 1);
  // A call of unknown outcome is told by the sight of what it wrote.
  const sight = write.version === version ? undefined : shown.get(version);
  const seen = before ? undefined : shown.get(version - 1);
  const latest = order.latest(version)?.ret ?? write.ret;
  const say = (what: string, because: string, beside: readonly number[]): void =>
    accuseEntry(history, found, {
      item: key.item,
      accused: write.row,
      beside: sight ? [...beside, sight.row] : beside,
      part: 'lost update (a)',
      what,
      because,
      shown: [seen, sight],
    });
  const proof = before ? [before.row] : seen && version > 1 ? [seen.row] : [];
  if (expected > 0 && version !== expected + 1) {
    say(
      `a write from version ${expected} was accepted and made version ${version}; it must follow the version that it names`,
      `between version ${expected} and version ${version} others were made, which it did not see`,
      proof,
    );
  } else if (expected > 0 && before?.deletes === true) {
    say(
      `a write from version ${expected} was accepted, and that version was a deletion; a deleted key counts as absent`,
      `version ${expected} was made by the delete ${requestText(history, before.row)}`,
      proof,
    );
  } else if (expected === 0 && version > 1 && !mayBeAbsent(order, version - 1, latest)) {
    say(
      `a write that asked for an absent key was accepted and made version ${version}; the key was there`,
      `version ${version - 1}, which it followed, was no deletion`,
      proof,
    );
  }
}
