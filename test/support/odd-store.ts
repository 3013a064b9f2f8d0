/**
 * A correct store that is odd in a way that its declarations allow (spec/mutants.md 4.3), and a crowd that uses it: a simulation
 * of events, in which a call takes effect somewhere between its sending and its answer. Whatever comes out must be judged valid.
 */
import { onBoard } from './board-script.ts';
import { randomOf } from './correct-store.ts';
import { type Answer, type Script, script } from './history-script.ts';
import { type Granted, type OddLaws, OddStore, type Verdict } from './odd-rules.ts';

export interface OddOptions extends OddLaws {
  readonly seed: number;
  readonly items?: number;
  readonly calls?: number;
  /** Share of calls whose answer is lost; they act now, later, or never. */
  readonly lost?: number;
  /** Share of calls that answer with a definite failure (I11). */
  readonly busy?: number;
  /** Holders send heartbeats. Without them leases lapse all the time (I03). Default true. */
  readonly renews?: boolean;
  /** Now and then nothing takes effect for this long (I16). */
  readonly stallMs?: number;
  /** Results are written under the lease before a completion (I09). */
  readonly writes?: boolean;
}

interface Held extends Granted {
  readonly owner: string;
}

type Act = (at: number) => Verdict | undefined;

/** Runs the crowd. The history ends with a scan that shows what the store holds. */
export function oddCrowd(options: OddOptions): Script {
  const { seed, items = 4, calls = 250, lost = 0.15, busy = 0, renews = true, stallMs = 0 } = options;
  const random = randomOf(seed);
  const below = (n: number): number => Math.floor(random() * n);
  const h = script();
  const store = new OddStore(options, random);
  const queue: { readonly at: number; readonly run: (at: number) => void }[] = [];
  const schedule = (at: number, run: (at: number) => void): void => void queue.push({ at, run });
  const keys = Array.from({ length: items }, (_, i) => `item-${i}`);
  let left = calls;
  let values = 0;
  let stall = { from: 30, until: 30 + stallMs };

  /** No effect while the store stands still; afterwards all come at once, in the order in which they were due. */
  const effectAt = (at: number): number => {
    if (stallMs === 0 || at < stall.from) return at;
    if (at < stall.until) return stall.until + (at - stall.from) / 1000;
    stall = { from: at + 40 + random() * 80, until: 0 };
    stall.until = stall.from + stallMs;
    return at;
  };

  for (let index = 0; index < 6; index++) {
    const label = `w${(index % 4) + 1}`;
    const worker = h.worker(label);
    const board = onBoard(worker);
    const held: Held[] = [];
    let lane = 0;

    /** Sends a call: it acts in between, and `told` writes it down with its answer and goes on. */
    const send = (
      inv: number,
      act: Act,
      told: (at: number | readonly [number, number], answer: Answer, granted: readonly Granted[]) => void,
    ): void => {
      const due = effectAt(inv + random() * 3);
      const ret = due + random() * 3;
      if (random() < busy) {
        schedule(ret, () => told([inv, ret], 'fail', []));
        return next(ret);
      }
      if (random() < lost) {
        const dice = random();
        if (dice < 0.7) schedule(dice < 0.4 ? due : due + random() * 50, (at) => void act(at));
        told(inv, 'info', []);
        lane += 1;
        return next(ret);
      }
      let verdict: Verdict | undefined;
      schedule(due, (at) => {
        verdict = act(at);
      });
      schedule(ret, () => {
        const { refusal, granted = [] } = verdict ?? {};
        told([inv, ret], refusal ?? 'accepted', granted);
        if (refusal === undefined) for (const one of granted) held.push({ ...one, owner: label });
        next(ret);
      });
    };
    const next = (at: number): void => {
      if (left <= 0) return;
      left -= 1;
      schedule(at + random() * 4, turn);
    };

    const claim = (now: number): void => {
      if (options.batches && random() < 0.7) {
        const limit = 1 + below(4);
        send(
          now,
          (at) => store.claimNext(label, limit, at),
          (at, answer, granted) => {
            worker.claimNext({ at, lane, answer, limit, leaseMs: store.askedMs, grants: granted });
          },
        );
        return;
      }
      const key = keys[below(items)]!;
      send(
        now,
        (at) => store.claim(key, label, at),
        (at, answer, granted) => {
          const [lease] = granted;
          const about = lease && {
            generation: lease.generation,
            attempt: lease.attempt,
            leaseMs: lease.leaseMs,
          };
          worker.claim(key, { at, lane, answer, leaseMs: store.askedMs, ...about });
        },
      );
    };

    const call = (now: number, lease: Held): void => {
      const { key, generation } = lease;
      const about = { lane, generation };
      const dice = random();
      if (renews && dice < 0.45)
        return send(
          now,
          (at) => store.renew(lease, at),
          (at, answer) => {
            worker.heartbeat(key, { ...about, at, answer, leaseMs: lease.leaseMs });
          },
        );
      if (options.writes && dice < 0.65) {
        values += 1;
        const value = `"${values}"`;
        return send(
          now,
          (at) => store.write(lease, value, at),
          (at, answer) => {
            const made = answer === 'accepted' ? { made: store.versionOf(value) } : {};
            board.commit([{ key: `result/${key}`, op: 'set', value, generation, ...made }], {
              at,
              lane,
              answer,
            });
          },
        );
      }
      if (dice < 0.8) {
        values += 1;
        const value = `{"by":"${values}"}`;
        return send(
          now,
          (at) => store.complete(lease, value, at),
          (at, answer) => {
            worker.complete(key, { ...about, at, answer, value });
          },
        );
      }
      const op = dice < 0.9 ? 'release' : 'nack';
      send(
        now,
        (at) => store[op](lease, at),
        (at, answer) => {
          worker[op](key, { ...about, at, answer });
        },
      );
    };

    const turn = (now: number): void => {
      // A key whose item is forgotten is enqueued anew (I13); who held it before has gone long ago.
      const gone = keys.find((key) => store.isForgotten(key, now));
      if (gone !== undefined) {
        send(
          now,
          (at) => store.enqueue([gone], at),
          (at, answer) => worker.enqueue(gone, { at, lane, answer, value: '"p"' }),
        );
        return;
      }
      const lease = held.at(-1 - below(3));
      if (lease === undefined || random() < 0.4) claim(now);
      else call(now, lease);
    };

    if (index === 0) {
      store.enqueue(keys, 0.5);
      worker.enqueue(keys, { at: [0, 1], value: '"p"', maxAttempts: store.maxAttempts });
    }
    next(1);
  }

  let now = 0;
  while (queue.length > 0) {
    queue.sort((a, b) => a.at - b.at);
    const { at, run } = queue.shift()!;
    now = at;
    run(at);
  }
  now += 200;
  h.scan([now, now + 1], store.rows(now));
  return h;
}
