/** What is stored of what a job returned or threw (spec/jobs.md D4-20). */
import { inspect } from 'node:util';
import { encodeJson } from '../lease/json.ts';
import type { Json } from '../store.ts';
import type { StoredResult } from './job.ts';

const TEXT_MAX = 10_000;

/** The value, or where JSON cannot carry it a marker with its text. Never something that only looks like it. */
export function storedResult(value: unknown): StoredResult {
  if (value === undefined) return null;
  try {
    return { value: JSON.parse(encodeJson('result', value)) as Json };
  } catch (error) {
    return { notSerialisable: messageOf(error), text: textOf(value) };
  }
}

/** What was thrown, as one text. */
export function errorText(thrown: unknown): string {
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : textOf(thrown);
  return cut(text);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function textOf(value: unknown): string {
  try {
    return cut(inspect(value, { depth: 4, maxArrayLength: 100, maxStringLength: 1000 }));
  } catch (error) {
    return `a value that cannot be shown (${messageOf(error)})`;
  }
}

/** Cut where it is long; a lone half of a surrogate pair has no form in a file. */
function cut(text: string): string {
  const cutOff = text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;
  return Buffer.from(cutOff, 'utf8').toString('utf8');
}
