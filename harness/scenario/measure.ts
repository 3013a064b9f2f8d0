/**
 * The leaves of the scenario schema. Each says in one phrase what it accepts, and gives that phrase as the message of
 * every issue: so an error always names the accepted forms, whichever rule was broken.
 */
import { z } from 'zod';
import {
  DURATION_FORMS,
  DURATION_PATTERN,
  parseDuration,
  parseShare,
  parseSize,
  SHARE_FORMS,
  SHARE_PATTERN,
  SIZE_FORMS,
  SIZE_PATTERN,
} from './duration.ts';

/** A text of a given form that is read into a number; `z.NEVER` after an issue keeps the type a number. */
function measured(forms: string, pattern: RegExp, parse: (text: string) => number | undefined) {
  return z
    .string({ error: forms })
    .regex(pattern, { error: forms, abort: true })
    .transform((text, context) => {
      const value = parse(text);
      if (value !== undefined) return value;
      context.issues.push({ code: 'custom', message: forms, input: text });
      return z.NEVER;
    });
}

/** `150ms`, `12s`, `2m`, `1h`; read as milliseconds. */
export const duration = () => measured(DURATION_FORMS, DURATION_PATTERN, parseDuration);

/** `40%`; read as 0 to 1. */
export const share = () => measured(SHARE_FORMS, SHARE_PATTERN, parseShare);

/** `512MiB`, `2GiB`; read as MiB. */
export const size = () => measured(SIZE_FORMS, SIZE_PATTERN, parseSize);

/** A whole number within bounds. */
export function whole(min: number, max: number) {
  const error = `a whole number from ${min} to ${max}`;
  return z.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}

/** A number within bounds. */
export function number(min: number, max: number) {
  const error = `a number from ${min} to ${max}`;
  return z.number({ error }).min(min, { error }).max(max, { error });
}

/** How often one thing is drawn, compared with its neighbours. 0 never. */
export const weight = () => number(0, 1_000_000);

/** A text of bounded length. */
export function text(forms: string, pattern: RegExp) {
  return z.string({ error: forms }).regex(pattern, { error: forms });
}

/** What a group of keys says when something else stands in its place. */
export const GROUP_FORMS = 'a group of keys';
