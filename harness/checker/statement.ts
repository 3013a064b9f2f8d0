/** The sentence of each accusation, and one "because" for every step that leads to it. Pure. */
import { type History, OP, REFUSALS } from '../history/history.ts';
import { OPERATIONS } from '../history/record.ts';
import type { Declares } from '../store-module/declares.ts';
import type { Draft, Link } from './draft.ts';
import { done, duration, generation, labelOf, seconds, shows } from './words.ts';

/** Names the item, the generations, what happened in which order, and the rule. */
export function statementOf(history: History, draft: Draft): string {
  if (draft.statement !== undefined) return draft.statement;
  const { ops } = history;
  const { accused, rows } = draft;
  const key = history.keys[draft.item]!;
  const was =
    ops.op[accused] === OP.commit
      ? `${history.keys[ops.item[accused]!]} was written under ${generation(history, accused)} of ${key}`
      : `${key} was ${done(history, accused)} under ${generation(history, accused)}`;
  /** The witness's other operation: the last one before the accused. */
  const other = rows.filter((row) => row !== accused).at(-1) ?? accused;
  switch (draft.guarantee) {
    case 'S1':
      return `${key} was granted under ${generation(history, accused)} twice, to ${labelOf(history, rows[0]!)} and to ${labelOf(history, accused)}; every grant must carry a new generation`;
    case 'S2':
      return `${was} after ${generation(history, other)} had been granted; generations must rise`;
    case 'S3':
      return exclusion(history, draft, key, was);
    case 'S4':
      return `${was} after ${generation(history, other)} had been granted; a stale writer must be refused`;
    case 'S15b':
      return `${was} after ${generation(history, other)} had been granted; a stale write must be refused`;
    case 'S14':
      return `${was} after ${generation(history, other)} had been granted; a release must free its own lease only`;
    case 'S21':
      return `${key}: a ${OPERATIONS[ops.op[accused]!]} under ${generation(history, accused)} was refused while its lease was standing; a holder must not be refused without need`;
    case 'S4c':
      return `${was} although ${generation(history, other)} was granted as well; only the newest generation may complete an item`;
    case 'S5':
      return ops.generation[accused] === ops.generation[other]
        ? `${key} was completed twice under ${generation(history, accused)}; one completion may be accepted`
        : `${was} and under ${generation(history, other)}; one completion may be accepted`;
    case 'S7':
      return `${was}, and ${read(history, draft)}; an accepted result must stay`;
    case 'S10':
      return `${was} after it had been completed under ${generation(history, other)}; a finished item must stay finished`;
    case 'S11':
      return late(history, draft, was, other);
    default:
      return was;
  }
}

function exclusion(history: History, draft: Draft, key: string, was: string): string {
  const { ops } = history;
  const { accused, rows } = draft;
  const others = rows.filter((row) => row !== accused);
  const named = others.filter((row) => !Number.isNaN(ops.generation[row]!));
  const older = named.filter((row) => ops.generation[row] !== ops.generation[accused]).at(-1) ?? others[0]!;
  if (ops.op[accused] !== OP.claim && ops.op[accused] !== OP.claimNext) {
    return `${was} before that generation can have been granted: the lease of ${generation(history, older)} was not over; an item has one holder at a time`;
  }
  if (ops.generation[older] === ops.generation[accused]) {
    return `${key} was granted to ${labelOf(history, older)} and to ${labelOf(history, accused)} within one lease; an item has one holder at a time`;
  }
  return `${was} before the lease of ${generation(history, older)} can have ended; an item has one holder at a time`;
}

function read(history: History, draft: Draft): string {
  const { read: shown } = draft;
  if (shown === undefined || shown === 'absent') return 'the final scan lacks the item';
  return `the final scan ${shows(history, shown)}`;
}

function late(history: History, draft: Draft, was: string, other: number): string {
  const last = draft.links.at(-1);
  if (last)
    return `${was} after its lease had ended, at ${seconds(history, last.instant)} at the latest; a late call must be refused`;
  return `${was} although the same lease was ${done(history, other)}; a call on a lease that is over must be refused`;
}

/** One sentence a step. */
export function becauseOf(history: History, draft: Draft, declares: Declares): string[] {
  if (draft.because !== undefined) return [...draft.because];
  const { ops } = history;
  const { accused, rows } = draft;
  const other = rows.filter((row) => row !== accused).at(-1) ?? accused;
  const at = (ns: number): string => seconds(history, ns);
  const gap = (): string =>
    `${generation(history, other)} was ${done(history, other)} by ${at(ops.ret[other]!)}, ${duration(ops.inv[accused]! - ops.ret[other]!)} before this call was sent`;
  switch (draft.guarantee) {
    case 'S1':
      return [`requests ${requests(history, rows)} were both answered with ${generation(history, accused)}`];
    case 'S2':
    case 'S4':
    case 'S15b':
    case 'S10':
      return [gap()];
    case 'S14':
      return [gap(), ...consequence(history, draft)];
    case 'S21':
      return [
        ...draft.links.map((link) => step(history, link, declares)),
        `yet this call was refused as ${REFUSALS[ops.code[accused]!]} by ${at(ops.ret[accused]!)}, and nothing that was sent before can have ended the lease`,
      ];
    case 'S4c':
      return [
        `granted before the completion, ${generation(history, other)} fenced it out; granted after it, the item was finished: there is no third way`,
      ];
    case 'S5':
      return [`requests ${requests(history, rows)} were both accepted`];
    case 'S7':
      return [`the completion was answered by ${at(ops.ret[accused]!)}, before the final scan read the item`];
    case 'S3':
      if (draft.links.length === 0) return [neither(history, rows, accused)];
      return [
        ...draft.links.map((link) => step(history, link, declares)),
        `yet ${generation(history, accused)} was ${done(history, accused)} by ${at(ops.ret[accused]!)}`,
      ];
    case 'S11':
      if (draft.links.length === 0) return [ended(history, other, accused)];
      return [
        ...draft.links.map((link) => step(history, link, declares)),
        `yet this call was sent at ${at(ops.inv[accused]!)} and accepted`,
      ];
    default:
      return [];
  }
}

function consequence(history: History, { consequence: row }: Draft): string[] {
  if (row === undefined) return [];
  return [
    `${generation(history, row)} was then granted by ${seconds(history, history.ops.ret[row]!)}, before the lease that stood can have ended (S3)`,
  ];
}

const requests = (history: History, rows: readonly number[]): string =>
  rows
    .map((row) => `${history.ops.incarnation[row]}.${history.ops.lane[row]}.${history.ops.call[row]}`)
    .join(' and ');

function neither(history: History, rows: readonly number[], accused: number): string {
  const { ops } = history;
  const first = rows[0]!;
  return `both were granted by ${seconds(history, Math.max(ops.ret[first]!, ops.ret[accused]!))}, and whichever came first, its lease was standing and nobody had ended it`;
}

function ended(history: History, other: number, accused: number): string {
  const { ops } = history;
  if (ops.ret[other]! < ops.inv[accused]!) {
    return `the lease was ${done(history, other)} by ${seconds(history, ops.ret[other]!)}, ${duration(ops.inv[accused]! - ops.ret[other]!)} before this call was sent`;
  }
  return 'each of the two ends the lease: whichever came second found it over';
}

/** One link of the chain of bounds. */
function step(history: History, link: Link, declares: Declares): string {
  const { ops } = history;
  const { earlier, later, instant } = link;
  const at = seconds(history, instant);
  const by = generation(history, earlier);
  const then = generation(history, later);
  const leaseMs = ops.leaseMs[earlier]!;
  const from = seconds(history, link.from ?? instant);
  const set = ops.op[earlier] === OP.heartbeat ? 'renewed' : 'granted';
  switch (link.kind) {
    case 'lease':
      return `${then} cannot have been granted before ${at}: the lease of ${by} was ${set} at ${from} at the earliest and stands ${leaseMs} ms${slack(declares)}`;
    case 'order':
      return `${then} cannot have been granted before ${at}: ${by} was still ${done(history, earlier)} then`;
    case 'ended':
      return `${then} cannot have been granted before ${at}: of all that can have ended the older lease early, nothing can have acted before the ${OPERATIONS[ops.op[earlier]!]} call sent at ${seconds(history, ops.inv[earlier]!)}`;
    case 'granted':
      return `a call under ${by} cannot have acted before ${at}, when that generation was granted at the earliest`;
    case 'stands':
      return `the lease of ${by} was ${set} at ${from} at the earliest and stands ${leaseMs} ms, so until ${at} at least${slack(declares)}`;
    case 'renewed':
      return `the lease of ${by} was ${set} by ${from} at the latest and stands ${leaseMs} ms, so it was over by ${at}${slack(declares)}`;
  }
}

const slack = (declares: Declares): string =>
  declares.grainMs + declares.clockStepMs > 0
    ? `, give or take ${declares.grainMs + declares.clockStepMs} ms`
    : '';
