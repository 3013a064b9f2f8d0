/**
 * The history of a run while it grows: the files are followed, not listened to, so that what is shown and what is judged come
 * from the same bytes. Meters and the targets of faults use it; the verdict reads everything again from the start.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HistoryBuilder } from '../history/builder.ts';
import { HistoryFile } from '../history/file-reader.ts';
import { type History, OP, OUTCOME } from '../history/history.ts';
import { LiveLeases } from '../nemesis/live-leases.ts';
import { LiveNotes } from '../nemesis/live-notes.ts';
import { LiveWrites } from '../nemesis/live-writes.ts';

export interface LiveCounts {
  readonly ops: number;
  readonly claims: number;
  readonly completes: number;
  readonly reclaims: number;
  readonly commits: number;
}

export class LiveHistory {
  readonly leases = new LiveLeases();
  readonly writes = new LiveWrites();
  readonly notes = new LiveNotes();
  readonly #directory: string;
  readonly #embedded: boolean;
  readonly #builder: HistoryBuilder;
  readonly #files: HistoryFile[] = [];
  /** Files of processes that have not come to create theirs yet. */
  readonly #awaited = new Set<string>();
  /** Items that were granted and not given back: their next grant is a reclaim. */
  readonly #leased = new Set<number>();
  #counted = 0;
  #claims = 0;
  #completes = 0;
  #reclaims = 0;
  #commits = 0;

  constructor(directory: string, embedded: boolean) {
    this.#directory = directory;
    this.#embedded = embedded;
    this.#builder = new HistoryBuilder({
      invoked: (row) => {
        this.#counted += 1;
        this.leases.invoked(row);
        this.writes.invoked(row);
      },
      completed: (row) => {
        this.leases.completed(row);
        this.writes.completed(row);
        this.#count(row);
      },
      noted: (record, incarnation) => this.notes.noted(record, incarnation),
    });
    this.leases.attach(this.#builder);
    this.writes.attach(this.#builder);
  }

  #count(row: number): void {
    const c = this.#builder.columns;
    if (c.outcome[row] !== OUTCOME.accepted) return;
    const item = c.item[row]!;
    switch (c.op[row]) {
      case OP.complete:
        this.#completes += 1;
        return;
      case OP.commit:
        this.#commits += 1;
        return;
      case OP.release:
      case OP.nack:
        this.#leased.delete(item);
        return;
      case OP.claim:
      case OP.claimNext:
        this.#claims += 1;
        if (this.#leased.has(item)) this.#reclaims += 1;
        this.#leased.add(item);
    }
  }

  /** Follows a file that exists or is about to. */
  follow(name: string): void {
    this.#awaited.add(name);
  }

  /** Takes in whatever was written since the last call. */
  refresh(): void {
    for (const name of this.#awaited) {
      const path = join(this.#directory, name);
      if (!existsSync(path)) continue;
      this.#awaited.delete(name);
      this.#files.push(new HistoryFile(path, this.#builder));
    }
    for (const file of this.#files) file.poll();
  }

  get counts(): LiveCounts {
    return {
      ops: this.#counted,
      claims: this.#claims,
      completes: this.#completes,
      reclaims: this.#reclaims,
      commits: this.#commits,
    };
  }

  /** The history as far as it was taken in. */
  snapshot(): History {
    return this.#builder.snapshot({ embedded: this.#embedded });
  }

  close(): void {
    for (const file of this.#files) file.close();
    this.#files.length = 0;
  }
}
