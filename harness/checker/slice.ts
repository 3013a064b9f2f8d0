/**
 * The slice of an accusation: its witness and every operation of the item that could excuse it, as steps for the oracle. Leaving
 * out operations only removes bounds, except those that excuse: ends of a lease, and renewals that keep one standing. So a
 * slice that is impossible makes the whole history impossible.
 */
import { FLAG, type History, OP, OUTCOME, requestOf, type ScanRow } from '../history/history.ts';
import { OPERATIONS } from '../history/record.ts';
import type { Step } from '../model/lease-automaton.ts';
import { SLICE_LIMIT } from '../model/oracle.ts';
import type { Declares } from '../store-module/declares.ts';
import type { Draft } from './draft.ts';
import { lastPage } from './evidence.ts';
import { writes } from './phantom.ts';
import { grants } from './token-rows.ts';

export interface Slice {
  readonly steps: readonly Step[];
  /** It holds every renewal that can matter, so the latest end of a lease may be used. */
  readonly bounded: boolean;
}

/** `rows` are all rows of the accused item; `shown` is its row in the final scan. */
export function sliceOf(
  history: History,
  declares: Declares,
  draft: Draft,
  rows: readonly number[],
  shown: ScanRow | undefined,
): Slice {
  const { ops } = history;
  const step = (row: number): Step => stepOf(history, declares, row);
  // The scan proves that an unanswered completion acted, and of any one by when.
  const proves = (row: number): boolean =>
    ops.op[row] === OP.complete && shown?.state === 'done' && writes(history, declares, row, shown);
  const read = draft.read ?? (draft.rows.some(proves) ? shown : undefined);
  const reads = read === undefined ? [] : [readOf(history, declares, read)];
  if (draft.guarantee === 'S11' && draft.links.length > 0) {
    return { steps: [...renewals(history, draft, rows, step), ...reads], bounded: true };
  }
  if (draft.guarantee === 'S21') {
    const refusal: Step = { ...step(draft.accused), kind: 'refusal', certain: true };
    const others = draft.rows.filter((row) => row !== draft.accused);
    const room = SLICE_LIMIT - draft.rows.length;
    const ends = endsOf(history, draft, rows).slice(0, room);
    return { steps: [...[...others, ...ends].map(step), refusal], bounded: false };
  }
  const core =
    draft.guarantee === 'S3'
      ? [...withGrants(history, draft.rows, rows), ...lastWrites(history, draft, rows)]
      : draft.rows;
  const excuses = draft.guarantee === 'S3' ? excusesOf(history, draft, rows) : [];
  const room = Math.max(SLICE_LIMIT - core.length, SLICE_LIMIT / 2);
  return { steps: [...[...core, ...excuses.slice(0, room)].map(step), ...reads], bounded: false };
}

/** Who was granted a lease decides who may reacquire it: so the grant of every generation that the witness names. */
function withGrants({ ops }: History, core: readonly number[], rows: readonly number[]): number[] {
  const generations = new Set(core.map((row) => ops.generation[row]!));
  const granted = rows.filter(
    (row) =>
      grants(ops.op[row]!) && ops.outcome[row] === OUTCOME.accepted && generations.has(ops.generation[row]!),
  );
  return [...new Set([...granted, ...core])];
}

/** As many fenced writes as are taken along: the last ones say the most. */
const WRITES = 2;

/** Accepted writes under a lease of the chain: where they came last, what could have ended that lease had not. */
function lastWrites({ ops }: History, { rows: core, accused }: Draft, rows: readonly number[]): number[] {
  const earlier = new Set(core.filter((row) => row !== accused).map((row) => ops.generation[row]!));
  const found = rows.filter(
    (row) =>
      ops.op[row] === OP.commit &&
      ops.outcome[row] === OUTCOME.accepted &&
      earlier.has(ops.generation[row]!) &&
      !core.includes(row),
  );
  return found.sort((a, b) => ops.inv[b]! - ops.inv[a]!).slice(0, WRITES);
}

/** Everything that can have ended one of the chain's leases before its time, those sent last first: they are the likeliest. */
function excusesOf(history: History, { rows: core, accused }: Draft, rows: readonly number[]): number[] {
  const { ops } = history;
  const taken = new Set(core);
  const generations = new Set(
    core.filter((row) => row !== accused || !grants(ops.op[row]!)).map((row) => ops.generation[row]!),
  );
  const shortest = Math.min(
    ...core
      .filter((row) => grants(ops.op[row]!) || ops.op[row] === OP.heartbeat)
      .map((row) => ops.leaseMs[row]!),
  );
  const excuses = rows.filter((row) => {
    const outcome = ops.outcome[row]!;
    if (
      taken.has(row) ||
      outcome === OUTCOME.refused ||
      outcome === OUTCOME.fail ||
      ops.inv[row]! > ops.ret[accused]!
    )
      return false;
    const mine = generations.has(ops.generation[row]!) || Number.isNaN(ops.generation[row]!);
    switch (ops.op[row]) {
      case OP.nack:
      case OP.release:
        return mine;
      case OP.heartbeat:
        return mine && ops.leaseMs[row]! < shortest;
      case OP.forceRelease:
        return true;
      case OP.claim:
        return outcome === OUTCOME.info && (ops.flags[row]! & FLAG.reacquire) !== 0;
      default:
        return false;
    }
  });
  return excuses.sort((a, b) => ops.inv[b]! - ops.inv[a]!);
}

/** S21: everything that can have ended the lease, or shortened it, before the refusal was answered. */
function endsOf(history: History, { rows: core, accused }: Draft, rows: readonly number[]): number[] {
  const { ops, tenureTokens } = history;
  const grant = core[0]!;
  // A heartbeat under another token does not touch this lease; where it was granted is not in the slice.
  const isOwn = (row: number): boolean =>
    ops.generation[row] === ops.generation[grant] ||
    (Number.isNaN(ops.generation[grant]!) && tenureTokens.get(row) === tenureTokens.get(grant));
  const shortest = Math.min(...core.slice(0, -1).map((row) => ops.leaseMs[row]!));
  return rows.filter((row) => {
    const outcome = ops.outcome[row]!;
    if (core.includes(row) || outcome === OUTCOME.refused || outcome === OUTCOME.fail) return false;
    if (!(ops.inv[row]! <= ops.ret[accused]!) || ops.ret[row]! < ops.inv[grant]!) return false;
    switch (ops.op[row]) {
      case OP.complete:
      case OP.nack:
      case OP.release:
      case OP.forceRelease:
      case OP.claim:
      case OP.claimNext:
        return true;
      case OP.heartbeat:
        return isOwn(row) && ops.leaseMs[row]! < shortest;
      default:
        return false;
    }
  });
}

/** S11: the setters that can keep the lease standing; when there are too many, the last of them, the first of which begins it. */
function renewals(
  history: History,
  draft: Draft,
  rows: readonly number[],
  step: (row: number) => Step,
): Step[] {
  const { ops } = history;
  const { accused, links } = draft;
  const until = links.at(-1)!.instant;
  const own = ops.generation[accused]!;
  const granted = Math.max(
    ...rows.filter((row) => ops.generation[row] === own && grants(ops.op[row]!)).map((row) => ops.ret[row]!),
  );
  const setters = rows.filter((row) => {
    if (row === accused || ops.generation[row] !== own) return false;
    // It sets nothing, but shows that the lease was granted before the grant was answered.
    if (ops.op[row] === OP.commit) return ops.outcome[row] === OUTCOME.accepted && ops.ret[row]! < granted;
    if (grants(ops.op[row]!)) return ops.outcome[row] === OUTCOME.accepted;
    return (
      ops.op[row] === OP.heartbeat &&
      ops.outcome[row] !== OUTCOME.refused &&
      ops.outcome[row] !== OUTCOME.fail &&
      ops.inv[row]! <= until
    );
  });
  const chain = links.map((link) => link.earlier).slice(1 - SLICE_LIMIT / 2);
  const first = (row: number): number => (chain.includes(row) ? 1 : 0);
  const kept =
    setters.length < SLICE_LIMIT
      ? setters
      : [...setters]
          .sort((a, b) => first(b) - first(a) || ops.ret[b]! - ops.ret[a]!)
          .slice(0, SLICE_LIMIT - 1);
  const steps = kept.sort((a, b) => ops.inv[a]! - ops.inv[b]!).map(step);
  const begins = steps.findIndex((one) => one.kind === 'grant');
  if (begins < 0 && steps[0]) steps[0] = { ...steps[0], kind: 'grant', certain: true, reacquire: false };
  return [...steps, step(accused)];
}

function stepOf(history: History, declares: Declares, row: number): Step {
  const { ops, tenureTokens: tokens } = history;
  const op = ops.op[row]!;
  const certain = ops.outcome[row] === OUTCOME.accepted;
  const name = OPERATIONS[op]!;
  const kind = grants(op) ? (certain ? 'grant' : 'claim') : op === OP.commit ? 'write' : name;
  const generation = ops.generation[row]!;
  const numbered = Number.isNaN(generation) ? undefined : generation;
  return {
    kind: kind as Step['kind'],
    certain,
    inv: ops.inv[row]!,
    ret: ops.ret[row]!,
    token: declares.tokens === 'ascending' ? numbered : (tokens.get(row) ?? numbered),
    owner: ops.owner[row]!,
    leaseMs: ops.leaseMs[row]!,
    reacquire: (ops.flags[row]! & FLAG.reacquire) !== 0,
    request: requestOf(ops, row),
    value: ops.value[row]!,
  };
}

function readOf(history: History, declares: Declares, read: ScanRow | 'absent'): Step {
  const row = read === 'absent' ? lastPage(history) : read.row;
  return {
    ...stepOf(history, declares, row),
    kind: 'read',
    certain: true,
    token: undefined,
    done: read !== 'absent' && read.state === 'done',
    value: read === 'absent' ? -1 : read.value,
    by: read !== 'absent' && declares.showsRequest ? read.completedBy : undefined,
  };
}
