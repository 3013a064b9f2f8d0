/**
 * Scratch folders of the probe, and what killed coordinators left of them. Each holds the ledger of its probe, whose first entry is
 * the coordinator: while that lives, the folder is its own.
 */
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ledger, sweepLeftovers } from '../process/ledger.ts';

const PREFIX = 'fencepost-probe-';
/** One without a ledger was made just now, or by a coordinator that died before it could write one. */
const YOUNG_MS = 60_000;

/** A new folder of its own with a ledger in it. */
export interface Scratch extends Disposable {
  readonly path: string;
  readonly ledger: Ledger;
}

/** Makes one; removes it, and ends whatever ran in it, when it is disposed of. */
export function makeScratch(parent: string = tmpdir()): Scratch {
  const path = mkdtempSync(join(parent, PREFIX));
  const ledger = Ledger.start(path, 'probe');
  return {
    path,
    ledger,
    [Symbol.dispose]() {
      ledger.endAll();
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Removes the folders of coordinators that are gone, and ends what still runs in them. Returns how many folders that was. */
export function sweepScratches(parent: string = tmpdir()): number {
  const folders = readdirSync(parent).filter((name) => name.startsWith(PREFIX));
  return folders.filter((name) => sweep(join(parent, name))).length;
}

function sweep(path: string): boolean {
  try {
    const stat = lstatSync(path);
    // Anybody can make a folder of this name in a shared place, and write pids into it.
    if (!stat.isDirectory() || stat.uid !== process.getuid?.()) return false;
    if (!hasLedger(path)) {
      if (Date.now() - stat.mtimeMs < YOUNG_MS) return false;
    } else {
      sweepLeftovers(path);
      if (hasLedger(path)) return false;
    }
    rmSync(path, { recursive: true, force: true });
    return true;
  } catch {
    // Its owner, or another sweep, was faster.
    return false;
  }
}

function hasLedger(path: string): boolean {
  return readdirSync(path, { recursive: true }).some((name) =>
    String(name).endsWith(join('.running', 'probe.ndjson')),
  );
}
