/** What a study has done so far, a line each in `reports/soak/STUDY.ndjson`: so it goes on where it was stopped. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const FOLDER = 'reports/soak';

/** One study's memory: `done` holds what was remembered before and now. */
export class Memory {
  #file;
  done;

  constructor(study) {
    mkdirSync(FOLDER, { recursive: true });
    this.#file = join(FOLDER, `${study}.ndjson`);
    this.done = existsSync(this.#file)
      ? readFileSync(this.#file, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line))
      : [];
  }

  /** Whether one of these fields was done before. */
  has(fields) {
    return this.done.some((one) => Object.entries(fields).every(([key, value]) => one[key] === value));
  }

  add(one) {
    appendFileSync(this.#file, `${JSON.stringify(one)}\n`);
    this.done.push(one);
  }
}

/** The middle of some numbers; of an even count the lower one of the two. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[(sorted.length - 1) >> 1];
}
