/** Flags that several commands share, and how their values are read. */
import { InvalidArgumentError, Option } from 'commander';
import { DURATION_FORMS, parseDuration } from '../scenario/duration.ts';
import type { Override } from '../scenario/set.ts';

/** What `--reporter` accepts. */
export const REPORTERS = ['text', 'json'] as const;
/** One of them. */
export type Reporter = (typeof REPORTERS)[number];

/** Flags of every command that ends with a verdict. */
export interface VerdictFlags {
  readonly reporter: Reporter;
  readonly quiet?: boolean;
  readonly allowInconclusive?: boolean;
}

/** `--reporter`, `--quiet`, `--allow-inconclusive`. */
export const verdictFlags = (): readonly Option[] => [
  new Option('--reporter <name>', 'what is written: text to stderr, or json to stdout')
    .choices(REPORTERS)
    .default('text'),
  new Option('-q, --quiet', 'no progress and no text; the exit code says it all'),
  new Option('--allow-inconclusive', 'exit 0 when too little was seen for a verdict'),
];

/** `--seed`: a whole number that fits 32 bits. */
export function readSeed(text: string): number {
  const seed = Number(text);
  if (/^\d{1,10}$/.test(text) && seed < 2 ** 32) return seed;
  throw new InvalidArgumentError(`Expected a whole number from 0 to ${2 ** 32 - 1}.`);
}

/** A duration with its unit, in ms. */
export function readDuration(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  throw new InvalidArgumentError(`Expected ${DURATION_FORMS}.`);
}

/** `--set`, once for each value. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** Flags of `run` that are short for a value of the scenario. */
export interface ScenarioFlags {
  readonly store?: string;
  readonly workers?: string;
  readonly duration?: string;
  readonly untilEvidence?: string;
}

/** They become overrides, so that a wrong value meets the rules of the scenario file, and the error names the flag. */
export function flagOverrides({
  store,
  workers,
  duration,
  untilEvidence,
}: ScenarioFlags): readonly Override[] {
  return [
    ...(store === undefined ? [] : [{ path: ['store'], value: store, flag: `--store ${store}` }]),
    ...(workers === undefined
      ? []
      : [{ path: ['workers'], value: numberOr(workers), flag: `--workers ${workers}` }]),
    ...(duration === undefined
      ? []
      : (untilEvidence === undefined ? (['min', 'max'] as const) : (['max'] as const)).map((end) => ({
          path: ['phases', 'main', end],
          value: numberOr(duration),
          flag: `--duration ${duration}`,
        }))),
  ];
}

/** Main goes on until the evidence is there, or for so long; `--duration` or `phases.main.max` sets another deadline. */
const EVIDENCE_MAIN_MAX = '10m';

/** `--until-evidence`, as overrides that others may override. */
export function evidenceOverrides({ untilEvidence }: ScenarioFlags): readonly Override[] {
  if (untilEvidence === undefined) return [];
  const flag = `--until-evidence ${untilEvidence}`;
  return [
    { path: ['opportunities'], value: numberOr(untilEvidence), flag },
    { path: ['phases', 'main', 'max'], value: EVIDENCE_MAIN_MAX, flag },
  ];
}

const numberOr = (text: string): unknown => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);
