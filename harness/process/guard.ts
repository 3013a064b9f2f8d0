/** Starts the guard process of a run. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Stops guarding: the run ended in order. */
export type StopGuard = () => void;

/** The guard acts when the pipe to it breaks: so it must outlive this process, and nothing else may hold the pipe. */
export function startGuard(ledgerFile: string): StopGuard {
  const entry = fileURLToPath(new URL('./guard-entry.js', import.meta.url));
  const guard = spawn(process.execPath, [entry, ledgerFile], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.unref();
  guard.stdin?.on('error', () => {}); // A guard that died first is no reason to fail: it only guards.
  (guard.stdin as unknown as { unref?: () => void }).unref?.();
  return () => guard.kill('SIGKILL');
}
