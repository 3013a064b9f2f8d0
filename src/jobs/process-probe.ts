/**
 * Which processes are certainly gone. A pid alone says nothing: it is used again, and means another process in another
 * container. So an identity holds the boot, the pid namespace, the pid and the instant of the start, and only where the first two are
 * ours can anything be told. Linux; elsewhere the heartbeats decide alone.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import type { ProcessState } from './reconcile-rule.ts';
import type { ProcessIdentity } from './store.ts';

/** Tells the processes of this host apart. */
export interface ProcessProbe {
  /** This process. Undefined where the system does not tell. */
  self(): ProcessIdentity | undefined;
  stateOf(process: ProcessIdentity): ProcessState;
}

/** Reads /proc. */
export const systemProcesses: ProcessProbe = {
  self: readSelf,
  stateOf(other) {
    const self = readSelf();
    if (self === undefined || self.pidNamespace !== other.pidNamespace) return 'unknown';
    // Nothing lives through a reboot.
    if (self.bootId !== other.bootId) return 'gone';
    const found = readStat(other.pid);
    if (found === 'unreadable') return 'unknown';
    return found === undefined ||
      found.startTicks !== other.startTicks ||
      found.state === 'Z' ||
      found.state === 'X'
      ? 'gone'
      : 'there';
  },
};

function readSelf(): ProcessIdentity | undefined {
  try {
    const stat = readStat(process.pid);
    if (stat === undefined || stat === 'unreadable') return undefined;
    return {
      bootId: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
      pidNamespace: readlinkSync('/proc/self/ns/pid'),
      pid: process.pid,
      startTicks: stat.startTicks,
    };
  } catch {
    return undefined;
  }
}

/** Undefined: there is no such process. */
function readStat(
  pid: number,
): { readonly state: string; readonly startTicks: string } | 'unreadable' | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in parentheses and may hold blanks and parentheses itself. State is field 3, the start field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, startTicks] = [fields[0], fields[19]];
    return state === undefined || startTicks === undefined ? 'unreadable' : { state, startTicks };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // ESRCH: it ended between the opening and the reading.
    return code === 'ENOENT' || code === 'ESRCH' ? undefined : 'unreadable';
  }
}
