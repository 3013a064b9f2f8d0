/**
 * The scenario that a run wrote into its history. A file from elsewhere may hold anything: what is missing is filled in with
 * the defaults (an older Fencepost had fewer keys), what is of another kind than it must be is told.
 */
import { parseScenario } from './load.ts';
import type { Scenario } from './scenario.ts';
import { describeValue } from './usage-error.ts';

export interface RecordedScenario {
  readonly scenario: Scenario;
  /** One sentence for each value that is wrong. */
  readonly problems: readonly string[];
}

/** What may be left out, and what it is when it is there. */
const OPTIONAL: Readonly<Record<string, 'string' | 'object'>> = {
  'scenario.workload.module': 'string',
  'scenario.faults': 'object',
  'scenario.faults.options.disk-full.folder': 'string',
};

/** Lists, and what they hold. */
const LISTS: Readonly<Record<string, 'string' | 'number'>> = {
  'scenario.faults.options.kill.at': 'number',
  'scenario.faults.options.crash-point.ops': 'string',
  'scenario.faults.options.crash-point.boundaries': 'string',
  'scenario.faults.options.crash-point.cuts': 'string',
};

export function recordedScenario(recorded: unknown): RecordedScenario {
  const problems: string[] = [];
  const scenario = filledIn(parseScenario('name: unknown', 'scenario.yaml'), recorded, 'scenario', problems);
  return { scenario: scenario as Scenario, problems };
}

function filledIn(model: unknown, recorded: unknown, path: string, problems: string[]): unknown {
  const optional = OPTIONAL[path];
  if (recorded === undefined || recorded === null) return optional === undefined ? model : undefined;
  const held = LISTS[path];
  if (held !== undefined) return listOf(held, model, recorded, path, problems);
  const expected = optional ?? typeof model;
  if (typeof recorded !== expected || Array.isArray(recorded)) {
    const article = expected === 'object' ? 'an' : 'a';
    problems.push(`Expected \`${path}\` to be ${article} ${expected}, got ${describeValue(recorded)}.`);
    return model;
  }
  if (expected !== 'object') return recorded;
  const filled: Record<string, unknown> = {};
  const known = model as Readonly<Record<string, unknown>>;
  for (const [name, value] of Object.entries(recorded)) filled[name] = value;
  for (const [name, value] of Object.entries(known))
    filled[name] = filledIn(value, filled[name], `${path}.${name}`, problems);
  if (path === 'scenario.obligations') return minima(filled, problems);
  return filled;
}

function listOf(held: string, model: unknown, recorded: unknown, path: string, problems: string[]): unknown {
  if (Array.isArray(recorded) && recorded.every((one) => typeof one === held)) return recorded;
  problems.push(`Expected \`${path}\` to be a list of ${held}s, got ${describeValue(recorded)}.`);
  return model;
}

/** Minima by the id of their obligation: the ids are no fixed keys. */
function minima(recorded: Readonly<Record<string, unknown>>, problems: string[]): unknown {
  for (const [id, least] of Object.entries(recorded)) {
    if (typeof least !== 'number')
      problems.push(`Expected \`scenario.obligations.${id}\` to be a number, got ${describeValue(least)}.`);
  }
  return Object.fromEntries(Object.entries(recorded).filter(([, least]) => typeof least === 'number'));
}
