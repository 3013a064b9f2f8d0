/** What the kernel says of a process. Reads /proc on Linux, asks `ps` elsewhere. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ProcessFacts {
  /** `stopped` is SIGSTOP's state T; `zombie` is dead and not yet reaped: signal 0 would call it alive (libraries.md 6.13). */
  readonly state: 'running' | 'stopped' | 'zombie';
  /** Together with the pid it names one process for ever: pids are reused. */
  readonly startTime: string;
}

/** The facts, or undefined when there is no such process. */
export function processFacts(pid: number): ProcessFacts | undefined {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

/** Whether exactly this process (not a later one under its pid) still lives. */
export function isAlive(pid: number, startTime: string): boolean {
  const facts = processFacts(pid);
  return facts !== undefined && facts.startTime === startTime && facts.state !== 'zombie';
}

function fromProc(pid: number): ProcessFacts | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The second field is the command in parentheses and may hold anything; fields count from behind its last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const letter = fields[0] ?? '';
  return { state: stateOf(letter), startTime: fields[19] ?? '' };
}

function fromPs(pid: number): ProcessFacts | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const [letters = '', ...start] = line.split(/\s+/);
    return line === '' ? undefined : { state: stateOf(letters[0] ?? ''), startTime: start.join(' ') };
  } catch {
    return undefined;
  }
}

function stateOf(letter: string): ProcessFacts['state'] {
  if (letter === 'T' || letter === 't') return 'stopped';
  return letter === 'Z' || letter === 'X' ? 'zombie' : 'running';
}
