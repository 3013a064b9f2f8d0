/** Where the scenario says what a refusal speaks of. Pure. */
import type { Concern } from './concern.ts';
import type { Place } from './usage-error.ts';

/** What is known of where a scenario came from. */
export interface ScenarioSource {
  readonly file: string;
  /** Where the value of a path was set, by the file or by a flag. Undefined: it is a default. */
  readonly placeIfSet: (path: readonly string[]) => Place | undefined;
}

/** Keys that a flag sets, by the name of the flag. */
const OF_FLAG: Readonly<Record<string, string>> = {
  '--store': 'store',
  '--workers': 'workers',
  '--duration': 'phases.main.max',
};

/**
 * The place of the first key that the sentence names, and that was set; one that a flag set goes before all others, since it is what
 * the person has just typed. All sentences name keys in backquotes. Where all of them are defaults, the file.
 */
export function placeOfConcern({ what, why, fix }: Concern, source: ScenarioSource): Place {
  const places = [what, why, fix].flatMap(keysIn).flatMap((key) => source.placeIfSet(key.split('.')) ?? []);
  return places.find(({ flag }) => flag !== undefined) ?? places[0] ?? { file: source.file };
}

/** `phases.main.max` of "Expected `phases.main.max` (10s) …"; `faults` of "Take `faults: off` out"; `store` of `--store sqlite`. */
function keysIn(sentence: string): string[] {
  return [...sentence.matchAll(/`([^`]+)`/g)].map(([, quoted = '']) => {
    const [word = ''] = quoted.split(/[:\s]/);
    return OF_FLAG[word] ?? word;
  });
}
