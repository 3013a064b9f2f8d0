/** The settings of a board that a project shares: namespaces, lease durations, who is asked. One schema for code and files. */
import { z } from 'zod';
import { FencepostError } from '../errors.ts';
import { DEFAULT_NAMESPACES, ORCHESTRATOR, RESERVED } from './namespaces.ts';
import { isPattern, matches, parsePattern } from './pattern.ts';
import { isLabel } from './validate.ts';

const pattern = z
  .string()
  .refine(isPattern, 'expected non-empty segments, each a name or a single star, such as "facts/*"')
  .refine((text) => !collides(text), `${RESERVED.join(' and ')} belong to the board itself`);
const label = z.string().refine(isLabel, 'expected a label without slash, glob character or white space');
const duration = z.number().positive();

const namespace = z.discriminatedUnion('mode', [
  z.strictObject({ pattern, mode: z.literal('append') }),
  z.strictObject({
    pattern: pattern.refine((text) => text.includes('*'), 'expected a star: it names the owner'),
    mode: z.literal('owned'),
  }),
  z.strictObject({ pattern, mode: z.literal('leased') }),
  z.strictObject({ pattern, mode: z.literal('single'), writer: label }),
]);

/** Schema of a board's settings. */
export const boardConfigSchema = z.strictObject({
  /** First match wins. */
  namespaces: z.array(namespace).min(1).max(1000).readonly().default(DEFAULT_NAMESPACES),
  /** How long a lease lasts, in ms: one duration, or one for each kind of item by pattern. First match wins. */
  leaseMs: z
    .union([duration, z.record(z.string().refine(isPattern), duration)], {
      error: 'expected a duration in ms > 0, or such durations by pattern of keys',
    })
    .optional(),
  /** Whom a persistent conflict is addressed to. */
  orchestrator: label.default(ORCHESTRATOR),
});

/** Settings as they are typed. */
export type BoardConfigInput = z.input<typeof boardConfigSchema>;
/** Settings with everything filled in. */
export type BoardConfig = z.output<typeof boardConfigSchema>;

/**
 * Checks settings and fills in the defaults.
 *
 * @throws FencepostError `BOARD_CONFIG`, naming every place and what was expected there
 */
export function parseBoardConfig(input: unknown, where = 'the board options'): BoardConfig {
  const parsed = boardConfigSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new FencepostError(
    'BOARD_CONFIG',
    `Expected ${where} to fit the schema of a board, found:\n${z.prettifyError(parsed.error)}`,
    { definite: true },
  );
}

/** A pattern that could catch keys of the board itself; stars in both places count as the same name. */
function collides(text: string): boolean {
  if (!isPattern(text)) return false;
  const probe = text.replaceAll('*', 'x');
  return RESERVED.some((reserved) => matches(parsePattern('pattern', reserved), probe));
}
