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

export interface LiveCounts {
  readonly ops: number;
  readonly claims: number;
  readonly completes: number;
  readonly reclaims: number;
}

export class LiveHistory {
  readonly leases = new LiveLeases();
  readonly #directory: string;
  readonly #embedded: boolean;
  readonly #builder: HistoryBuilder;
  readonly #files: HistoryFile[] = [];
  /** Files of processes that have not come to create theirs yet. */
  readonly #awaited = new Set<string>();
  #counted = 0;
  #claims = 0;
  #completes = 0;
  #reclaims = 0;

  constructor(directory: string, embedded: boolean) {
    this.#directory = directory;
    this.#embedded = embedded;
    const granted = new Set<number>();
    this.#builder = new HistoryBuilder({
      invoked: (row) => {
        this.#counted += 1;
        this.leases.invoked(row);
      },
      completed: (row) => {
        this.leases.completed(row);
        const c = this.#builder.columns;
        if (c.outcome[row] !== OUTCOME.accepted) return;
        const op = c.op[row];
        if (op === OP.complete) this.#completes += 1;
        if (op !== OP.claim && op !== OP.claimNext) return;
        this.#claims += 1;
        // Granted before and granted again: live, every re-grant is shown; the results count those after a lapsed lease.
        if (granted.has(c.item[row]!)) this.#reclaims += 1;
        granted.add(c.item[row]!);
      },
    });
    this.leases.attach(this.#builder);
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
    return { ops: this.#counted, claims: this.#claims, completes: this.#completes, reclaims: this.#reclaims };
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
