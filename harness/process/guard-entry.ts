/**
 * The guard: a process of its own that does nothing until its standard input breaks, which is when the coordinator is
 * gone, however it went. Then it ends every process of the ledger, stopped ones included, and exits (issue A24, trap F23).
 *
 * It is in a session of its own, so that a Ctrl-C in the terminal or a kill of the process group does not end it first.
 */
import { endAll, readLedger } from './ledger.ts';

/** A child may have been forked just before the coordinator died; look again a few times. */
const ROUNDS = 10;
const ROUND_MS = 100;

const ledger = process.argv[2];
if (ledger === undefined) throw new Error('Expected the path of a ledger');

process.stdin.resume();
process.stdin.once('end', () => finish(ROUNDS));
process.stdin.once('error', () => finish(ROUNDS));

function finish(rounds: number): void {
  try {
    endAll(readLedger(ledger!).filter((entry) => entry.what !== 'coordinator'));
  } catch {
    process.exit(0); // The ledger is gone: the run ended in order.
  }
  if (rounds <= 1) process.exit(0);
  setTimeout(() => finish(rounds - 1), ROUND_MS);
}
