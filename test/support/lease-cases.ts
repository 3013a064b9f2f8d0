/**
 * Small random histories of one item, for comparing the sweep with the exhaustive oracle. A case is plain data: it becomes
 * a history through the real builder, and a list of steps for the oracle, by separate ways.
 */
import fc from 'fast-check';
import type { History } from '../../harness/history/history.ts';
import type { Step } from '../../harness/model/lease-automaton.ts';
import { onBoard } from './board-script.ts';
import { type Answer, type ScriptRecord, script, type Worker } from './history-script.ts';

export interface CaseCall {
  /** write: of an entry of its own, fenced by the lease. */
  readonly op: 'claim' | 'heartbeat' | 'complete' | 'nack' | 'release' | 'write' | 'forceRelease' | 'scan';
  readonly inv: number;
  readonly ret: number;
  readonly answer: 'accepted' | 'info' | 'refused';
  /** info: the process was seen to end at `ret`, and its store with it. */
  readonly cut: boolean;
  readonly generation: number;
  /** Opaque tokens that change: the renewals of the generation that the token handed in, or handed out, has behind it. */
  readonly renewals?: number | undefined;
  readonly leaseMs: number;
  readonly owner: 'w1' | 'w2';
  readonly reacquire: boolean;
  /** scan: what it shows; the number of a complete's value, or -1 for an item that is not done. */
  readonly shows: number;
}

export const KEY = 'item';

export const historyOf = (calls: readonly CaseCall[]): History => scriptOf(calls).history;

export function scriptOf(calls: readonly CaseCall[]): { history: History; records: ScriptRecord[] } {
  const h = script();
  const workers = { w1: h.worker('w1'), w2: h.worker('w2') };
  calls.forEach((call, i) => {
    if (call.op === 'scan') {
      const value = call.shows < 0 ? {} : { value: resultOf(call.shows) };
      h.scan([call.inv, call.ret], [{ key: KEY, state: call.shows < 0 ? 'open' : 'done', ...value }]);
    } else {
      const life = call.cut && call.answer === 'info' ? h.worker(call.owner) : undefined;
      send(life ?? workers[call.owner], call, i);
      life?.exits(call.ret);
    }
  });
  return { history: h.history({ embedded: true }), records: h.records() };
}

const tokenOf = (generation: number, renewals: number): string => `${generation}.${renewals}`;

const resultOf = (i: number): string => `{"by":"call ${i}"}`;

function send(worker: Worker, call: CaseCall, i: number): void {
  const { op, inv, ret, leaseMs, reacquire, renewals } = call;
  const generation =
    renewals === undefined ? { generation: call.generation } : { token: tokenOf(call.generation, renewals) };
  const answer: Answer = call.answer === 'refused' ? 'stale' : call.answer;
  const at = answer === 'info' ? inv : ([inv, ret] as const);
  switch (op) {
    case 'claim':
      worker.claim(KEY, { at, answer, ...generation, leaseMs, reacquire });
      return;
    case 'forceRelease':
      worker.forceRelease(KEY, { at, answer });
      return;
    case 'complete':
      worker.complete(KEY, { at, answer, ...generation, value: resultOf(i) });
      return;
    case 'heartbeat':
      worker.heartbeat(KEY, {
        at,
        answer,
        ...generation,
        leaseMs,
        extendMs: leaseMs,
        ...(renewals === undefined ? {} : { renewed: tokenOf(call.generation, renewals + 1) }),
      });
      return;
    case 'nack':
    case 'release':
      worker[op](KEY, { at, answer, ...generation });
      return;
    case 'write':
      onBoard(worker).commit([{ key: `entry ${i}`, made: 1, fence: KEY, ...generation }], { at, answer });
      return;
    case 'scan':
      return;
  }
}

const HOLDER_CALLS: ReadonlySet<string> = new Set(['heartbeat', 'complete', 'nack', 'release', 'write']);

/** `refusals`: refused holder calls take part, as calls that saw their lease over. */
export function stepsOf(calls: readonly CaseCall[], { refusals = false } = {}): Step[] {
  return calls.flatMap((call, i): Step[] => {
    const refused = call.answer === 'refused' && call.op !== 'scan';
    if (refused && !(refusals && HOLDER_CALLS.has(call.op))) return [];
    const certain = refused || call.answer === 'accepted' || call.op === 'scan';
    const claims = call.op === 'claim';
    const kind = refused
      ? 'refusal'
      : call.op === 'scan'
        ? 'read'
        : claims
          ? certain
            ? 'grant'
            : 'claim'
          : call.op;
    const named = call.op !== 'scan' && call.op !== 'forceRelease' && kind !== 'claim';
    return [
      {
        kind,
        certain,
        inv: call.inv * 1e6,
        ret: certain || call.cut ? call.ret * 1e6 : Number.POSITIVE_INFINITY,
        token: !named
          ? undefined
          : call.renewals === undefined
            ? call.generation
            : tokenOf(call.generation, call.renewals),
        ...(call.renewals === undefined || kind !== 'heartbeat'
          ? {}
          : { renewed: tokenOf(call.generation, call.renewals + 1) }),
        owner: call.owner === 'w1' ? 1 : 2,
        leaseMs: claims || call.op === 'heartbeat' ? call.leaseMs : Number.NaN,
        reacquire: claims && call.reacquire,
        request: String(i),
        value: call.op === 'complete' ? i : call.op === 'scan' ? call.shows : -1,
        ...(call.op === 'scan' ? { done: call.shows >= 0 } : {}),
      },
    ];
  });
}

/** What kinds of calls a case may hold. */
export interface CaseShape {
  /** Lease lengths, ms. One length: sweep and oracle must agree; several: the sweep may only be milder. */
  readonly leases: readonly number[];
  readonly forceReleases: boolean;
  readonly reacquires: boolean;
  readonly scans: boolean;
  readonly writes?: boolean;
  /** Opaque tokens, a new one with every accepted heartbeat. */
  readonly moving?: boolean;
  /** Widest half of a call, ms: in narrow ones little overlaps, so that more is certain. Default 6. */
  readonly width?: number;
  readonly maxCalls?: number;
}

/** Calls that follow one another as those of a store would, shaken enough to break every rule now and then. */
export function caseArbitrary(shape: CaseShape): fc.Arbitrary<CaseCall[]> {
  const { leases, maxCalls = 8, width = 6 } = shape;
  const ops: CaseCall['op'][] = [
    'claim',
    'claim',
    'claim',
    'heartbeat',
    'heartbeat',
    'complete',
    'nack',
    'release',
  ];
  if (shape.forceReleases) ops.push('forceRelease');
  if (shape.scans) ops.push('scan');
  if (shape.writes) ops.push('write');
  const raw = fc.record({
    op: fc.constantFrom(...ops),
    gap: fc.integer({ min: -3, max: 11 }),
    before: fc.integer({ min: 0, max: width }),
    after: fc.integer({ min: 0, max: width }),
    answer: fc.constantFrom(
      'accepted' as const,
      'accepted' as const,
      'accepted' as const,
      'info' as const,
      'refused' as const,
    ),
    /** Mostly the newest generation; sometimes an older or a repeated one. */
    back: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 1, 2),
    leaseMs: fc.constantFrom(...leases),
    owner: fc.constantFrom('w1' as const, 'w2' as const),
    reacquire: shape.reacquires ? fc.constantFrom(false, false, true) : fc.constant(false),
    shows: fc.integer({ min: 0, max: 99 }),
    cut: fc.boolean(),
  });
  return fc.array(raw, { minLength: 2, maxLength: maxCalls }).map((list) => {
    let now = 10;
    let newest = 0;
    const completes: number[] = [];
    list.forEach((one, i) => {
      if (one.op === 'complete') completes.push(i);
    });
    let scanned = false;
    const renewals = new Map<number, number>();
    const calls = list.map((one): CaseCall => {
      now = Math.max(0, now + one.gap);
      if (one.op === 'claim' && (one.back === 0 || newest === 0)) newest += 1;
      else if (newest === 0) newest = 1;
      const generation = Math.max(1, newest - (one.op === 'claim' ? Math.max(0, one.back - 1) : one.back));
      const { answer, leaseMs, owner, reacquire, cut } = one;
      // One final scan: a history has no other reads.
      const op = one.op === 'scan' && scanned ? 'heartbeat' : one.op;
      if (op === 'scan') scanned = true;
      const shows = completes.length === 0 || one.shows < 30 ? -1 : completes[one.shows % completes.length]!;
      const certain = op === 'scan' ? ('accepted' as const) : answer;
      const renewed =
        op === 'claim' ? 0 : Math.max(0, (renewals.get(generation) ?? 0) - (one.shows % 5 === 0 ? 1 : 0));
      if (op === 'heartbeat' && certain === 'accepted') renewals.set(generation, renewed + 1);
      return {
        renewals: shape.moving ? renewed : undefined,
        op,
        answer: certain,
        cut,
        leaseMs,
        owner,
        reacquire,
        generation,
        shows,
        inv: Math.max(0, now - one.before),
        ret: now + one.after,
      };
    });
    // A final scan that shows an item unfinished while its completion is under way bounds that completion: not used.
    return calls.filter(
      (call) =>
        call.op !== 'scan' ||
        call.shows >= 0 ||
        !calls.some((c) => c.op === 'complete' && c.answer === 'accepted' && c.ret >= call.inv),
    );
  });
}
