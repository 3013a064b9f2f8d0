/** Instants, calls and values as sentences name them. Pure. */
import {
  FLAG,
  type History,
  OP,
  OUTCOME,
  type OutcomeName,
  requestOf,
  type ScanRow,
} from '../history/history.ts';
import { OPERATIONS, type OperationName } from '../history/record.ts';
import type { WitnessOperation } from './finding.ts';
import { planVerbAt, planWords } from './plan-words.ts';

/** ns from which stories count: the start of main, as the report does. */
export function zeroOf(history: History): number {
  return (history.phases.find(({ phase }) => phase === 'main') ?? history.phases[0])?.at ?? 0;
}

/** `12.151 s`. */
export const seconds = (history: History, instant: number): string =>
  `${((instant - zeroOf(history)) / 1e9).toFixed(3)} s`;

/** `172 ms`, `0.4 ms`. */
export const duration = (ns: number): string =>
  `${ns >= 1e7 ? Math.round(ns / 1e6) : Number((ns / 1e6).toPrecision(2))} ms`;

/** `generation 4`. */
export function generation(history: History, row: number): string {
  const value = history.ops.generation[row]!;
  if (!Number.isNaN(value)) return `generation ${history.generationText(value)}`;
  const token = history.tokens.get(row);
  return token === undefined ? 'a lease without a generation' : `token ${token}`;
}

/** The owner's name with the incarnation: two lives of one label are told apart. */
export function labelOf(history: History, row: number): string {
  return (
    history.incarnations.get(history.ops.incarnation[row]!)?.label ??
    history.owners[history.ops.owner[row]!] ??
    '?'
  );
}

/** What was done to the item: "completed", "granted". */
export function done(history: History, row: number): string {
  const name = OPERATIONS[history.ops.op[row]!]!;
  return DONE[name] ?? name;
}

const DONE: Readonly<Partial<Record<OperationName, string>>> = {
  enqueue: 'enqueued',
  claim: 'granted',
  claimNext: 'granted',
  heartbeat: 'renewed',
  complete: 'completed',
  nack: 'handed back (nack)',
  release: 'released',
  forceRelease: 'force-released',
  scan: 'read',
  commit: 'written',
};

/** One operation of a witness. */
export function witnessOperation(
  history: History,
  row: number,
  accused: boolean,
  shown?: ScanRow,
): WitnessOperation {
  const { ops } = history;
  const value = ops.generation[row]!;
  return {
    request: requestOf(ops, row),
    label: labelOf(history, row),
    op: planVerbAt(history, row)?.verb ?? OPERATIONS[ops.op[row]!]!,
    generation: Number.isNaN(value) ? undefined : history.generationText(value),
    inv: ops.inv[row]!,
    ret: ops.ret[row]!,
    outcome: OUTCOME_NAMES[ops.outcome[row]!]!,
    detail: shown ? shows(history, shown) : detail(history, row),
    accused,
  };
}

const OUTCOME_NAMES = Object.keys(OUTCOME) as OutcomeName[];

function detail(history: History, row: number): string {
  const { ops, texts } = history;
  const name = OPERATIONS[ops.op[row]!]!;
  const leaseMs = ops.leaseMs[row]!;
  const lease = Number.isNaN(leaseMs) ? '' : `, lease ${leaseMs} ms`;
  const answered = ops.outcome[row] === OUTCOME.accepted;
  switch (name) {
    case 'claim':
    case 'claimNext':
      return answered ? `${generation(history, row)}${lease}` : `lease ${leaseMs} ms asked`;
    case 'heartbeat':
      return `${generation(history, row)}${lease}`;
    case 'complete':
      return `${generation(history, row)}${ops.value[row]! < 0 ? '' : `, result ${texts.at(ops.value[row]!)}`}`;
    case 'enqueue':
      return ops.value[row]! < 0 ? '' : `payload ${texts.at(ops.value[row]!)}`;
    case 'forceRelease':
    case 'scan':
    case 'list':
    case 'history':
    case 'since':
    case 'trim':
      return '';
    case 'commit':
    case 'get':
      return entry(history, row);
    case 'plan':
      return planWords(history, row);
    default:
      return generation(history, row);
  }
}

/** `sets, from version 3, value {…}, requires k at version 2: version 4`; `shows version 4, value {…}`. */
function entry(history: History, row: number): string {
  const { ops, keys, texts, ifVersions, requires } = history;
  const version = ops.version[row]!;
  const value = ops.value[row]! < 0 ? '' : `, value ${texts.at(ops.value[row]!)}`;
  if (ops.op[row] === OP.get) return version > 0 ? `shows version ${version}${value}` : 'shows no entry';
  const flags = ops.flags[row]!;
  const verb = (flags & FLAG.append) !== 0 ? 'appends' : (flags & FLAG.delete) !== 0 ? 'deletes' : 'sets';
  const asked = ifVersions.get(row);
  const from = asked === undefined ? '' : asked === 0 ? ', from absent' : `, from version ${asked}`;
  const required = (requires.get(row) ?? [])
    .map((one) => `requires ${keys[one.item]} ${one.version === 0 ? 'absent' : `at version ${one.version}`}`)
    .join(', ');
  if (ops.item[row]! < 0) return required;
  const made = Number.isNaN(version) ? '' : `: version ${version}`;
  return `${verb}${from}${value}${required === '' ? '' : `, ${required}`}${made}`;
}

/** What a scan showed of an item: "shows done, result {…}". */
export function shows(history: History, shown: ScanRow): string {
  const result = shown.value < 0 ? '' : `, result ${history.texts.at(shown.value)}`;
  const by = shown.completedBy === undefined ? '' : `, completed by ${shown.completedBy}`;
  return `shows ${shown.state}${result}${by}`;
}
