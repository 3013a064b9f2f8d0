/**
 * The numbers of a run. Each is defined in docs/numbers.md; where nothing was observed it is undefined, never NaN, never
 * 0 in place of "none". Pure.
 */
import { type History, OP, OUTCOME } from '../history/history.ts';
import type { Numbers, Percentiles } from '../report/results.ts';
import { boardNumbers } from './board.ts';
import { oncePerCall } from './calls.ts';
import { conflictRate } from './conflicts.ts';
import { Distribution } from './distribution.ts';
import { believedByTwo, lostLeases } from './lost-leases.ts';
import { planNumbers } from './plans.ts';
import { reclaimDelayMs, reclaimsOf } from './reclaims.ts';
import { staleRefused } from './stale-calls.ts';
import { isClaim, isFinal, isGrant, type Tenure, type Tenures, tenuresOf } from './tenures.ts';
import { mainWindow, phaseWindow, touches, type Window, within } from './window.ts';

const NS_PER_MS = 1e6;

/** All numbers of a history. */
export function numbersOf(history: History, tenures: Tenures = tenuresOf(history)): Numbers {
  const { ops } = history;
  const main = mainWindow(history);
  const stopped = (incarnation: number): readonly Window[] =>
    history.incarnations.get(incarnation)?.stopped ?? [];
  const isFirst = oncePerCall(ops);
  const counts = { claims: 0, completes: 0, heartbeats: 0 };
  const latency = { claim: new Distribution(), heartbeat: new Distribution(), complete: new Distribution() };
  for (let row = 0; row < ops.length; row++) {
    if (ops.outcome[row] !== OUTCOME.accepted || !within(main, ops.inv[row]!)) continue;
    const kind = isClaim(ops, row) ? 'claim' : timed.get(ops.op[row]!);
    if (kind === undefined) continue;
    if (isGrant(ops, row)) counts.claims += 1;
    else if (kind !== 'claim') counts[`${kind}s`] += 1;
    // What a call took while its own process stood still says nothing about the store.
    if (!isFirst(row) || touches(stopped(ops.incarnation[row]!), ops.inv[row]!, ops.ret[row]!)) continue;
    latency[kind].add((ops.ret[row]! - ops.inv[row]!) / NS_PER_MS);
  }
  const reclaims = reclaimsOf(history, tenures).filter(({ by }) => within(main, ops.inv[by.grant]!));
  const delays = new Distribution();
  for (const reclaim of reclaims) {
    const delay = reclaimDelayMs(ops, reclaim, stopped(reclaim.lapsed.incarnation));
    if (delay !== undefined) delays.add(delay);
  }
  const mainPhase = phaseWindow(history, 'main');
  const mainNs = mainPhase && Number.isFinite(mainPhase.to) ? mainPhase.to - mainPhase.from : undefined;
  const board = boardNumbers(history, main);
  const plans = planNumbers(history, main);
  return {
    mainMs: mainNs === undefined ? undefined : mainNs / NS_PER_MS,
    ...counts,
    reclaims: reclaims.length,
    conflictRate: conflictRate(history, tenures, main),
    reclaimRate: counts.claims === 0 ? undefined : reclaims.length / counts.claims,
    workDoneTwice: workDoneTwice(history, granted(history, tenures, main)),
    leasesLost: lostLeases(history, reclaims),
    believedByTwo: believedByTwo(history, granted(history, tenures, main)),
    staleRefused: {
      complete: staleRefused(history, tenures, OP.complete),
      heartbeat: staleRefused(history, tenures, OP.heartbeat),
      release: staleRefused(history, tenures, OP.release),
      nack: staleRefused(history, tenures, OP.nack),
    },
    latency: {
      claim: latency.claim.percentiles(),
      heartbeat: latency.heartbeat.percentiles(),
      complete: latency.complete.percentiles(),
    },
    task: taskTimes(history, granted(history, tenures, main), stopped),
    reclaimDelay: delays.percentiles(),
    loopLag: loopLag(history, main),
    ...(board === undefined ? {} : { board }),
    ...(plans === undefined ? {} : { plans }),
  };
}

const timed: ReadonlyMap<number, 'heartbeat' | 'complete'> = new Map([
  [OP.heartbeat, 'heartbeat'],
  [OP.complete, 'complete'],
]);

/** Tenures whose claim was sent in the window. */
function* granted({ ops }: History, tenures: Tenures, window: Window): Generator<Tenure> {
  for (const tenure of tenures.all) if (within(window, ops.inv[tenure.grant]!)) yield tenure;
}

/** Items for which a `complete` was sent under two or more grants. Tenures of one item lie next to each other. */
function workDoneTwice({ ops }: History, granted: Iterable<Tenure>): number {
  let items = 0;
  let item = -1;
  let runs = 0;
  for (const tenure of granted) {
    if (tenure.item !== item) {
      item = tenure.item;
      runs = 0;
    }
    if (!tenure.calls.some((row) => ops.op[row] === OP.complete)) continue;
    runs += 1;
    if (runs === 2) items += 1;
  }
  return items;
}

/** From the answer of the grant to the first final call, for tasks that were not stopped on the way. */
function taskTimes(
  { ops }: History,
  granted: Iterable<Tenure>,
  stopped: (incarnation: number) => readonly Window[],
): Percentiles {
  const times = new Distribution();
  for (const tenure of granted) {
    const from = ops.ret[tenure.grant]!;
    const final = tenure.calls.find((row) => isFinal(ops, row));
    if (final === undefined || ops.inv[final]! < from) continue;
    if (touches(stopped(tenure.incarnation), from, ops.inv[final]!)) continue;
    times.add((ops.inv[final]! - from) / NS_PER_MS);
  }
  return times.percentiles();
}

/** The latest that an event loop ran in each second of each worker, seconds with a stop in them left out. */
function loopLag(history: History, main: Window): Percentiles {
  const lag = new Distribution();
  const last = new Map<number, number>();
  for (const { incarnation, at, maxMs } of history.loop) {
    const life = history.incarnations.get(incarnation);
    const since = last.get(incarnation) ?? life?.readyAt ?? life?.spawnedAt ?? at;
    last.set(incarnation, at);
    if (!within(main, at) || !(maxMs >= 0 && Number.isFinite(maxMs))) continue;
    if (!touches(life?.stopped ?? [], since, at)) lag.add(maxMs);
  }
  return lag.percentiles();
}
