/** The laws of an odd but correct store: instants are given, nothing is read. */
import type { RowRecord } from '../../harness/history/record.ts';
import type { RefusalCode } from '../../src/store.ts';

/** In what the store is odd; all of it is declared. */
export interface OddLaws {
  readonly late: 'refused' | 'allowed-if-not-superseded';
  /** Generations jump by up to this much (I01). */
  readonly jump?: number;
  /** Several items at once, in any order, often fewer than asked for (I06, I18). */
  readonly batches?: boolean;
  /** Leases last longer than was asked for, and say so (I10). */
  readonly roundUpMs?: number;
  /** The store's clock steps to and fro within this much (I15). */
  readonly stepMs?: number;
  /** Finished items are forgotten after this, and their keys used anew (I13). */
  readonly retentionMs?: number;
  /** A stale write passes until the successor has written (I09). */
  readonly resource?: boolean;
}

/** A lease that was handed out. */
export interface Granted {
  readonly key: string;
  readonly generation: number;
  readonly attempt: number;
  readonly leaseMs: number;
  /** Which life of the key. */
  readonly life: number;
}

/** An answer of the store. */
export interface Verdict {
  readonly refusal?: RefusalCode;
  readonly granted?: readonly Granted[];
}

interface Row {
  state: 'open' | 'leased' | 'done' | 'dead';
  generation: number;
  attempts: number;
  owner: string;
  endsAt: number;
  finishedAt: number;
  value: string | undefined;
  life: number;
}

type HeldLease = Granted & { readonly owner: string };

const ACCEPTED: Verdict = {};
const LEASE_MS = 10;

export class OddStore {
  readonly askedMs = LEASE_MS;
  readonly maxAttempts = 8;
  readonly #laws: OddLaws;
  readonly #random: () => number;
  readonly #rows = new Map<string, Row>();
  readonly #written = new Map<string, number>();
  readonly #versions = new Map<string, number>();
  readonly #version = new Map<string, number>();
  #lives = 0;
  #offset = 0;

  constructor(laws: OddLaws, random: () => number) {
    this.#laws = laws;
    this.#random = random;
  }

  /** The store's own clock at an instant of ours. It steps, and never by more than was declared. */
  #clock(at: number): number {
    const { stepMs = 0 } = this.#laws;
    if (stepMs > 0 && this.#random() < 0.2) this.#offset = (this.#random() - 0.5) * stepMs;
    return at + this.#offset;
  }

  isForgotten(key: string, at: number): boolean {
    const { retentionMs } = this.#laws;
    const row = this.#rows.get(key);
    return retentionMs !== undefined && row !== undefined && at > row.finishedAt + retentionMs;
  }

  enqueue(keys: readonly string[], at: number): Verdict {
    if (keys.some((key) => this.#rows.has(key) && !this.isForgotten(key, at)))
      return { refusal: 'duplicate' };
    for (const key of keys) {
      this.#lives += 1;
      const life = this.#lives;
      const blank = { state: 'open', attempts: 0, owner: '', endsAt: 0, value: undefined } as const;
      this.#rows.set(key, { ...blank, generation: 0, finishedAt: Number.POSITIVE_INFINITY, life });
    }
    return ACCEPTED;
  }

  claim(key: string, owner: string, at: number): Verdict {
    const row = this.#rows.get(key);
    if (row === undefined || this.isForgotten(key, at)) return { refusal: 'unknown-item' };
    if (row.state === 'done') return { refusal: 'completed' };
    const now = this.#clock(at);
    if (row.state === 'leased' && now < row.endsAt) return { refusal: 'held' };
    // Nobody looks after lapsed leases but the next claim (I12).
    if (row.state === 'dead' || row.attempts >= this.maxAttempts) {
      this.#finish(row, 'dead', at);
      return { refusal: 'dead' };
    }
    return { granted: [this.#grant(key, row, owner, now)] };
  }

  claimNext(owner: string, limit: number, at: number): Verdict {
    const now = this.#clock(at);
    const free = [...this.#rows].filter(([key, row]) => {
      const isFree = row.state === 'open' || (row.state === 'leased' && now >= row.endsAt);
      return isFree && row.attempts < this.maxAttempts && !this.isForgotten(key, at);
    });
    free.sort(() => this.#random() - 0.5);
    const taken = free.slice(0, 1 + Math.floor(this.#random() * limit));
    if (taken.length === 0) return { refusal: 'empty' };
    return { granted: taken.map(([key, row]) => this.#grant(key, row, owner, now)) };
  }

  #grant(key: string, row: Row, owner: string, now: number): Granted {
    const { jump = 1, roundUpMs = 0 } = this.#laws;
    row.generation += 1 + Math.floor(this.#random() * jump);
    row.attempts += 1;
    row.state = 'leased';
    row.owner = owner;
    row.endsAt = now + LEASE_MS + roundUpMs;
    const { generation, attempts: attempt, life } = row;
    return { key, generation, attempt, life, leaseMs: LEASE_MS + roundUpMs };
  }

  /** The row of a lease that was granted last, or why it is not. */
  #standing(lease: HeldLease): Row | RefusalCode {
    const row = this.#rows.get(lease.key);
    if (row === undefined || row.life !== lease.life) return 'stale';
    if (row.generation !== lease.generation || row.owner !== lease.owner) return 'stale';
    if (row.state === 'done') return 'completed';
    if (row.state === 'dead') return 'dead';
    return row.state === 'open' ? 'not-held' : row;
  }

  #live(lease: HeldLease, at: number, act: (row: Row, now: number) => void): Verdict {
    const row = this.#standing(lease);
    if (typeof row === 'string') return { refusal: row };
    const now = this.#clock(at);
    if (this.#laws.late === 'refused' && now >= row.endsAt) return { refusal: 'expired' };
    act(row, now);
    return ACCEPTED;
  }

  renew(lease: HeldLease, at: number): Verdict {
    return this.#live(lease, at, (row, now) => {
      row.endsAt = Math.max(row.endsAt, now + lease.leaseMs);
    });
  }

  complete(lease: HeldLease, value: string, at: number): Verdict {
    return this.#live(lease, at, (row) => {
      row.value = value;
      this.#finish(row, 'done', at);
    });
  }

  nack(lease: HeldLease, at: number): Verdict {
    return this.#live(lease, at, (row) => {
      if (row.attempts >= this.maxAttempts) this.#finish(row, 'dead', at);
      else row.state = 'open';
    });
  }

  release(lease: HeldLease): Verdict {
    const row = this.#standing(lease);
    if (typeof row === 'string') return { refusal: row };
    row.state = 'open';
    return ACCEPTED;
  }

  /** A fenced write: by the lease row, or by what was written last. */
  write(lease: HeldLease, value: string, at: number): Verdict {
    const { key, generation } = lease;
    if (this.#laws.resource) {
      if (generation < (this.#written.get(key) ?? 0)) return { refusal: 'stale' };
    } else {
      const verdict = this.#live(lease, at, () => {});
      if (verdict.refusal !== undefined) return verdict;
    }
    this.#written.set(key, generation);
    const version = (this.#version.get(key) ?? 0) + 1;
    this.#version.set(key, version);
    this.#versions.set(value, version);
    return ACCEPTED;
  }

  /** The version that a write made. */
  versionOf(value: string): number {
    return this.#versions.get(value) ?? 0;
  }

  #finish(row: Row, state: 'done' | 'dead', at: number): void {
    if (row.state === state) return;
    row.state = state;
    row.finishedAt = at;
  }

  rows(at: number): RowRecord[] {
    return [...this.#rows].flatMap(([key, { state, generation, attempts, value }]) =>
      this.isForgotten(key, at)
        ? []
        : [{ key, state, generation, attempts, ...(value === undefined ? {} : { value }) }],
    );
  }
}
