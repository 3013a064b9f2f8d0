/**
 * A correct store of entries with its feed, and a crowd that uses it: effect instants are drawn inside the calls' intervals,
 * answers get lost, unanswered writes act late or never, processes die, followers restart, the feed is trimmed. Whatever comes
 * out must be judged valid.
 */
import type { EventRecord } from '../../harness/history/record.ts';
import { type BoardWorker, finalEntries, finalFeed, onBoard } from './board-script.ts';
import { randomOf } from './correct-store.ts';
import { type Script, script, type Worker } from './history-script.ts';

export interface BoardCrowdOptions {
  readonly seed: number;
  readonly keys?: number;
  readonly calls?: number;
  /** Share of calls whose answer is lost. */
  readonly lost?: number;
  /** Share of calls that answer with a definite failure (I11). */
  readonly busy?: number;
  /** The store lives in the worker's process: a lost call acts before the exit of its process, or never. */
  readonly embedded?: boolean;
  /** Old events are forgotten now and then. */
  readonly trims?: boolean;
}

interface Life {
  /** What its history shows, oldest first: version, and value or undefined of a deletion. */
  kept: { readonly version: number; readonly value: string | undefined }[];
  version: number;
  /** Undefined: deleted, or never written. */
  value: string | undefined;
}

interface Plan {
  readonly key: string;
  readonly op: 'set' | 'append' | 'delete';
  readonly from: number | undefined;
  readonly value: string;
  readonly keep: 'latest' | undefined;
}

/** Runs the crowd. The history ends with the final reads. */
export function boardCrowd(options: BoardCrowdOptions): Script {
  const { seed, keys = 3, calls = 200, lost = 0.2, busy = 0, embedded = false, trims = false } = options;
  const random = randomOf(seed);
  const below = (n: number): number => Math.floor(random() * n);
  const h = script();
  const names = Array.from({ length: keys }, (_, i) => `k${i}`);
  const lives = new Map(
    names.map((name): [string, Life] => [name, { kept: [], version: 0, value: undefined }]),
  );
  let events: EventRecord[] = [];
  let lastId = 0;
  let trimmed = 0;
  /** Unanswered writes that will act later. */
  const pending: { readonly at: number; readonly act: () => void }[] = [];
  const spawn = (label: string) => {
    const worker: Worker = h.worker(label);
    return { label, worker, board: onBoard(worker), cursor: 0, free: 0 };
  };
  const crew = ['w1', 'w2', 'w3', 'w1'].map(spawn);
  /** What somebody read: versions to write from, some of them old. */
  const read = new Map<string, number>();
  let now = 100;
  let value = 0;

  const current = (life: Life): number => (life.value === undefined ? 0 : life.version);
  /** All of it, or nothing: the versions that were made. */
  const apply = (plans: readonly Plan[], require: Readonly<Record<string, number>>): number[] | undefined => {
    for (const [key, version] of Object.entries(require))
      if (current(lives.get(key)!) !== version) return undefined;
    const heads = new Map(plans.map(({ key }) => [key, { ...lives.get(key)! }]));
    const made: number[] = [];
    for (const { key, op, from, value: written, keep } of plans) {
      const head = heads.get(key)!;
      if (from !== undefined && from !== current(head)) return undefined;
      head.version += 1;
      head.value = op === 'delete' ? undefined : written;
      head.kept = [...(keep === 'latest' ? [] : head.kept), { version: head.version, value: head.value }];
      made.push(head.version);
    }
    plans.forEach(({ key, op }, i) => {
      lastId += 1;
      const kind = op === 'set' ? 'set' : op === 'append' ? 'appended' : 'deleted';
      events.push({ id: lastId, kind, key, version: made[i]! });
    });
    for (const [key, head] of heads) lives.set(key, head);
    return made;
  };
  const page = (cursor: number, limit: number) => {
    const shown = events.filter(({ id }) => id > cursor).slice(0, limit);
    const gap = cursor < trimmed;
    const to = shown.at(-1)?.id ?? Math.max(cursor, trimmed);
    return { from: cursor, to, limit, events: shown, ...(gap ? { gap } : {}) };
  };

  for (let i = 0; i < calls; i++) {
    now += random() * 3;
    for (const one of pending.splice(0)) {
      if (one.at <= now) one.act();
      else pending.push(one);
    }
    if (trims && random() < 0.02) {
      trimmed = Math.max(trimmed, lastId - below(5));
      events = events.filter(({ id }) => id > trimmed);
    }
    const slot = below(crew.length);
    const one = crew[slot]!;
    const inv = Math.max(one.free, now - random() * 4);
    if (inv > now) continue;
    const ret = now + random() * 6;
    one.free = ret;
    const key = names[below(keys)]!;
    const life = lives.get(key)!;
    const at = [inv, ret] as const;
    const isLost = random() < lost;
    const dice = random();
    if (random() < busy) one.board.set(key, { at, answer: 'fail', value: '"never"' });
    else if (dice < 0.25) {
      if (isLost) one.board.get(key, { at: inv });
      else {
        one.board.get(key, { at, shows: current(life), value: life.value ?? '' });
        read.set(key, current(life));
      }
    } else if (dice < 0.32 && !isLost) one.board.list('', { at, entries: shown() });
    else if (dice < 0.38 && !isLost) {
      const before = random() < 0.5 ? undefined : below(life.version + 2);
      const limit = 1 + below(6);
      const versions = life.kept.filter(({ version }) => version < (before ?? Number.POSITIVE_INFINITY));
      const entries = versions
        .reverse()
        .slice(0, limit)
        .map(({ version, value: held }) => ({
          key,
          version,
          ...(held === undefined ? {} : { value: held }),
        }));
      const asked = { key, limit, ...(before === undefined ? {} : { before }) };
      one.worker.send('history', { at }, asked, { entries });
    } else if (dice < 0.45) {
      if (isLost) one.board.since({ at: inv, from: one.cursor });
      else {
        const answer = page(one.cursor, 1 + below(6));
        one.board.since({ at, ...answer });
        one.cursor = answer.to;
      }
    } else write(one.board, key, at, isLost, slot);
  }

  function write(
    board: BoardWorker,
    key: string,
    at: readonly [number, number],
    isLost: boolean,
    slot: number,
  ): void {
    const other = names[below(keys)]!;
    const wished = random() < 0.8 ? current(lives.get(other)!) : (read.get(other) ?? 0);
    const require = random() < 0.8 ? {} : { [other]: wished };
    const plans = random() < 0.05 ? [] : plan(key);
    const told = (made?: readonly number[]) =>
      plans.map((one, i) => ({
        key: one.key,
        op: one.op,
        value: one.value,
        ...(one.from === undefined ? {} : { from: one.from }),
        ...(one.keep === undefined ? {} : { keep: one.keep }),
        ...(made === undefined ? {} : { made: made[i]! }),
      }));
    if (!isLost) {
      const made = apply(plans, require);
      board.commit(told(made), { at, require, ...(made ? {} : { answer: 'conflict' }) });
      return;
    }
    board.commit(told(), { at: at[0], require });
    const when = random();
    if (when < 0.4) apply(plans, require);
    if (embedded) {
      // The process is gone, and with it whatever it had not done.
      crew[slot]!.worker.exits(now + random() * 3);
      crew[slot] = { ...spawn(crew[slot]!.label), cursor: crew[slot]!.cursor, free: now };
    } else if (when >= 0.4 && when < 0.7)
      pending.push({ at: now + random() * 40, act: () => apply(plans, require) });
  }

  function plan(key: string): Plan[] {
    const conditional = (name: string): number | undefined => {
      const dice = random();
      if (dice < 0.3) return undefined;
      return dice < 0.8 ? current(lives.get(name)!) : (read.get(name) ?? 0);
    };
    const one = (name: string): Plan => {
      value += 1;
      const op = (['set', 'set', 'append', 'delete'] as const)[below(4)]!;
      const keep = op !== 'append' && random() < 0.02 ? 'latest' : undefined;
      const from = op === 'append' ? undefined : conditional(name);
      return { key: name, op, from, value: `"${value}"`, keep };
    };
    const dice = random();
    if (dice < 0.75) return [one(key)];
    return [one(key), one(dice < 0.8 ? key : names[below(keys)]!)];
  }

  function shown() {
    return names.flatMap((name) => {
      const { version, value: newest } = lives.get(name)!;
      return newest === undefined ? [] : [{ key: name, version, value: newest }];
    });
  }

  now += 60;
  for (const one of pending) one.act();
  finalEntries(h, [now, now + 1], shown());
  const { from, to, gap, events: all } = page(0, Number.MAX_SAFE_INTEGER);
  finalFeed(h, [now + 2, now + 3], all, { from, to, ...(gap ? { gap } : {}) });
  return h;
}
