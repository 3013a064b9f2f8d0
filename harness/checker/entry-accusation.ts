/** Accusations about entries: the rows, what each read showed, and the words that all parts of S16 share. Pure. */
import type { History } from '../history/history.ts';
import { accuse, type Tally } from './draft.ts';
import type { EntrySight } from './entry-accesses.ts';
import type { Bound } from './entry-order.ts';

export interface EntryAccusation {
  readonly item: number;
  readonly accused: number;
  /** The other rows of the witness. */
  readonly beside: readonly number[];
  /** Which part of the guarantee, in two or three words, and its letter in spec/checking.md. */
  readonly part: string;
  readonly what: string;
  readonly because: string;
  /** Reads of the witness that show several keys. */
  readonly shown?: readonly (EntrySight | undefined)[];
}

/** `KEY: lost update (a): …`. Told at the answer of the last of its operations. */
export function accuseEntry(history: History, found: Tally, one: EntryAccusation): void {
  const { ops, keys } = history;
  const { item, accused, beside } = one;
  const rows = [...new Set([accused, ...beside])];
  const at = Math.max(...rows.map((row) => (Number.isFinite(ops.ret[row]!) ? ops.ret[row]! : ops.inv[row]!)));
  accuse(found, at, () => ({
    guarantee: 'S16',
    item,
    accused,
    rows,
    links: [],
    at,
    statement: `${keys[item]}: ${one.part}: ${one.what}`,
    because: [one.because],
    details: new Map(
      (one.shown ?? []).flatMap((sight) => (sight ? [[sight.row, sightText(history, sight)]] : [])),
    ),
  }));
}

/** `shows version 4, value {…}`. */
export function sightText({ texts }: History, { kind, version, value }: EntrySight): string {
  const shows = kind === 'require' ? 'required' : 'shows';
  if (version === 0) return `${shows} no entry`;
  return `${shows} version ${version}${value < 0 ? '' : `, value ${texts.at(value)}`}`;
}

/** `a read showed`, `a commit was accepted that required`. */
export const showed = ({ kind, final }: EntrySight): string =>
  kind === 'require'
    ? 'a commit was accepted that required'
    : final
      ? 'the final read showed'
      : 'a read showed';

/** The sight that a bound rests on, where it rests on one. */
export const sightOf = (sights: readonly EntrySight[], bound: Bound | undefined): EntrySight | undefined =>
  bound && !bound.wrote
    ? (sights.find(({ row, version }) => row === bound.row && version === bound.version) ??
      sights.find(({ row }) => row === bound.row))
    : undefined;

/** `was made by 1.2.3 (w1)`. */
export const requestText = ({ ops }: History, row: number): string =>
  `${ops.incarnation[row]}.${ops.lane[row]}.${ops.call[row]}`;
