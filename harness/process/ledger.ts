/**
 * The list of processes that a run started, on disk, so that somebody else can end them when the coordinator cannot: the
 * guard at once, and the next start if even the guard died (trap F23). One line a process: pid, start time.
 */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, processFacts } from './proc.ts';

export interface LedgerEntry {
  readonly pid: number;
  readonly startTime: string;
  readonly what: string;
}

/** Folder of the ledgers of runs that may still be going on, below the output folder. */
const FOLDER = '.running';

export class Ledger {
  readonly file: string;
  readonly #entries: LedgerEntry[] = [];

  private constructor(file: string) {
    this.file = file;
  }

  /** Starts the ledger of a run; its first entry is the coordinator itself. */
  static start(out: string, run: string): Ledger {
    mkdirSync(join(out, FOLDER), { recursive: true });
    const ledger = new Ledger(join(out, FOLDER, `${run}.ndjson`));
    ledger.#write({
      pid: process.pid,
      startTime: processFacts(process.pid)?.startTime ?? '',
      what: 'coordinator',
    });
    return ledger;
  }

  /** Notes a process that was just started. Returns its start time; empty when it is gone already. */
  add(pid: number, what: string): string {
    const startTime = processFacts(pid)?.startTime ?? '';
    const entry = { pid, startTime, what };
    this.#entries.push(entry);
    try {
      this.#write(entry);
    } catch {
      // The disk is full, and the run is about to end for that. This process ends its children itself, from memory.
    }
    return startTime;
  }

  /** Ends everything that is listed, stopped processes included. Returns how many were still alive. */
  endAll(): number {
    return endAll(this.#entries);
  }

  /** The run is over and left nothing behind. */
  remove(): void {
    rmSync(this.file, { force: true });
  }

  #write(entry: LedgerEntry): void {
    appendFileSync(this.file, `${JSON.stringify(entry)}\n`);
  }
}

/** Entries of a ledger file; a torn last line is passed over. */
export function readLedger(file: string): LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    try {
      if (line !== '') entries.push(JSON.parse(line) as LedgerEntry);
    } catch {
      // The writer was killed in mid-line: that process had no time to do any harm, and ends by itself with its parent.
    }
  }
  return entries;
}

/** SIGKILL to each process that is still the one that was listed. SIGKILL ends stopped processes too. */
export function endAll(entries: readonly LedgerEntry[]): number {
  let ended = 0;
  for (const { pid, startTime } of entries) {
    if (!isAlive(pid, startTime)) continue;
    try {
      process.kill(pid, 'SIGKILL');
      ended += 1;
    } catch {
      // It went by itself between the two calls.
    }
  }
  return ended;
}

/** Ends what earlier runs below `out` left behind, if their coordinator is gone. Returns how many processes that was. */
export function sweepLeftovers(out: string): number {
  let ended = 0;
  let files: string[];
  try {
    files = readdirSync(join(out, FOLDER));
  } catch {
    return 0;
  }
  for (const name of files) {
    const file = join(out, FOLDER, name);
    const [coordinator, ...children] = readLedger(file);
    if (coordinator && isAlive(coordinator.pid, coordinator.startTime)) continue;
    ended += endAll(children);
    rmSync(file, { force: true });
  }
  return ended;
}
