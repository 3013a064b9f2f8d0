/**
 * A correct store in a few lines, and a crowd that uses it: effect instants are drawn inside the calls' intervals, answers get
 * lost, unanswered calls act late or never, holders call long after their lease. Whatever comes out must be judged valid.
 */
import { type Script, script, type Worker } from './history-script.ts';

export interface CrowdOptions {
  readonly seed: number;
  readonly items?: number;
  readonly calls?: number;
  /** Share of calls whose answer is lost. */
  readonly lost?: number;
  readonly late: 'refused' | 'allowed-if-not-superseded';
  /** Generations jump by up to this much (I01). */
  readonly jump?: number;
  /** Share of calls that answer with a definite failure (I11). */
  readonly busy?: number;
  /** Grants that an item may have; past them it is dead. Default: no limit. */
  readonly maxAttempts?: number;
}

const LEASE_MS = 10;

/** What a claim is refused as. */
const REFUSED = { done: 'completed', dead: 'dead', open: 'held', leased: 'held' } as const;

interface Life {
  generation: number;
  phase: 'open' | 'leased' | 'done' | 'dead';
  attempts: number;
  owner: string;
  endsAt: number;
  value: string | undefined;
}

interface Held {
  readonly key: string;
  readonly generation: number;
  readonly since: number;
}

/** Numbers in [0, 1) that follow from a seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Runs the crowd. The history holds a final scan that shows what the store holds at its instant. */
export function crowd(options: CrowdOptions): Script {
  const { seed, items = 3, calls = 300, lost = 0.2, late, jump = 1, busy = 0, maxAttempts } = options;
  const random = randomOf(seed);
  const below = (n: number): number => Math.floor(random() * n);
  const h = script();
  const workers = ['w1', 'w2', 'w3', 'w1'].map((label) => ({ label, worker: h.worker(label) }));
  const keys = Array.from({ length: items }, (_, i) => `item-${i}`);
  const lives = new Map<string, Life>();
  const held: Held[] = [];
  /** Unanswered calls that will act later. */
  const pending: { readonly at: number; readonly act: () => void }[] = [];
  let now = 100;
  let value = 0;

  workers[0]!.worker.enqueue(keys, {
    at: [0, 1],
    value: '"p"',
    ...(maxAttempts === undefined ? {} : { maxAttempts }),
  });
  for (const key of keys)
    lives.set(key, { generation: 0, phase: 'open', attempts: 0, owner: '', endsAt: 0, value: undefined });

  const claimed = (life: Life, owner: string, reacquire: boolean, at: number): boolean => {
    const free = life.phase === 'open' || (life.phase === 'leased' && at >= life.endsAt);
    const usedUp = life.attempts >= (maxAttempts ?? Number.POSITIVE_INFINITY);
    if (free && usedUp) life.phase = 'dead';
    if (usedUp) return false;
    if (!free && !(life.phase === 'leased' && reacquire && life.owner === owner)) return false;
    life.generation += 1 + below(jump);
    life.phase = 'leased';
    life.attempts += 1;
    life.owner = owner;
    life.endsAt = at + LEASE_MS;
    return true;
  };
  const holds = (life: Life, generation: number, at: number): boolean =>
    life.generation === generation &&
    life.phase !== 'done' &&
    life.phase !== 'dead' &&
    (late !== 'refused' || (life.phase === 'leased' && at < life.endsAt));

  for (let i = 0; i < calls; i++) {
    now += random() * 3;
    for (const one of pending.splice(0)) {
      if (one.at <= now) one.act();
      else pending.push(one);
    }
    const { label, worker } = workers[below(workers.length)]!;
    const after = now + random() * 6;
    const isLost = random() < lost;
    const at = (since: number): number | readonly [number, number] => {
      const inv = Math.max(since, now - random() * 4);
      return isLost ? inv : [inv, after];
    };
    /** A lost call acts now, later, or never. */
    const effect = (act: (at: number) => boolean): boolean | undefined => {
      if (!isLost) return act(now);
      const when = random();
      if (when < 0.4) act(now);
      else if (when < 0.7) {
        const then = now + random() * 40;
        pending.push({ at: then, act: () => act(then) });
      }
      return undefined;
    };
    if (random() < busy) {
      worker.claim(keys[below(items)]!, { at: [now, after], answer: 'fail' });
      continue;
    }
    const known = held.filter((one) => one.since <= now);
    if (known.length === 0 || random() < 0.35) {
      const key = keys[below(items)]!;
      const life = lives.get(key)!;
      const reacquire = random() < 0.15;
      const accepted = effect((when) => claimed(life, label, reacquire, when));
      const call = { at: at(0), leaseMs: LEASE_MS, reacquire };
      if (accepted === undefined) worker.claim(key, call);
      else if (!accepted) worker.claim(key, { ...call, answer: REFUSED[life.phase] });
      else {
        worker.claim(key, { ...call, generation: life.generation, owner: label, value: '"p"' });
        held.push({ key, generation: life.generation, since: after });
      }
      continue;
    }
    const lease = known[Math.max(0, known.length - 1 - below(6))]!;
    send(worker, lease, lives.get(lease.key)!, at(lease.since), effect);
  }

  function send(
    worker: Worker,
    lease: Held,
    life: Life,
    at: number | readonly [number, number],
    effect: (act: (at: number) => boolean) => boolean | undefined,
  ): void {
    const { key, generation } = lease;
    const dice = random();
    const answer = (accepted: boolean | undefined) =>
      accepted === false ? ({ answer: 'stale' } as const) : {};
    if (dice < 0.45) {
      const accepted = effect((when) => {
        if (!holds(life, generation, when)) return false;
        if (life.phase === 'leased') life.endsAt = Math.max(life.endsAt, when + LEASE_MS);
        return true;
      });
      worker.heartbeat(key, { at, generation, leaseMs: LEASE_MS, ...answer(accepted) });
    } else if (dice < 0.6) {
      value += 1;
      const mine = `{"by":"${value}"}`;
      const accepted = effect((when) => {
        if (!holds(life, generation, when)) return false;
        life.phase = 'done';
        life.value = mine;
        return true;
      });
      worker.complete(key, { at, generation, value: mine, ...answer(accepted) });
    } else if (dice < 0.8) {
      // A release is accepted from the last holder, also when there is nothing left to free.
      const accepted = effect(() => {
        if (life.generation !== generation) return false;
        if (life.phase === 'leased') life.phase = 'open';
        return true;
      });
      worker.release(key, { at, generation, ...answer(accepted) });
    } else {
      const accepted = effect((when) => {
        if (!holds(life, generation, when)) return false;
        if (life.phase === 'leased')
          life.phase = life.attempts >= (maxAttempts ?? Number.POSITIVE_INFINITY) ? 'dead' : 'open';
        return true;
      });
      worker.nack(key, { at, generation, ...answer(accepted) });
    }
  }

  now += 20;
  for (const one of pending) if (one.at <= now) one.act();
  h.scan(
    [now, now + 1],
    keys.map((key) => {
      const { phase, generation, attempts, value: result } = lives.get(key)!;
      return { key, state: phase, generation, attempts, ...(result === undefined ? {} : { value: result }) };
    }),
  );
  return h;
}
