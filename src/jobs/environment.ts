/** What the environment says about the shared manager (spec/jobs.md D2). Pure. */
import { join } from 'node:path';
import { FencepostError } from '../errors.ts';

/** Switches the store of the shared manager: on unless it is `0` or `false`. */
export const STORE_SWITCH = 'FENCEPOST_JOB_STORE';
/** The folder under which the shared manager keeps its file. */
export const HOME_VARIABLE = 'FENCEPOST_HOME';
const HOME_FOLDER = '.fencepost';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Whether the shared manager has a store. Blanks and case do not matter; unset or empty is on.
 *
 * @throws FencepostError `JOBS_CONFIG`: neither yes nor no
 */
export function storeIsOn(env: Environment): boolean {
  const said = (env[STORE_SWITCH] ?? '').trim().toLowerCase();
  if (said === '' || said === '1' || said === 'true') return true;
  if (said === '0' || said === 'false') return false;
  throw new FencepostError(
    'JOBS_CONFIG',
    `Expected ${STORE_SWITCH} to be 1, true, 0 or false, got ${JSON.stringify(env[STORE_SWITCH])}. Unset it to keep background jobs in a file.`,
    { definite: true },
  );
}

/** `HOME/runs/background_jobs.db`; HOME is FENCEPOST_HOME, or `.fencepost` in the user's folder. */
export function defaultJobsFile(env: Environment, userFolder: string): string {
  const said = (env[HOME_VARIABLE] ?? '').trim();
  return join(said === '' ? join(userFolder, HOME_FOLDER) : said, 'runs', 'background_jobs.db');
}
