/** Groups of keys in the scenario schema. */
import { z } from 'zod';
import { GROUP_FORMS, number } from './measure.ts';

/** A group that knows its keys. */
export function group<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'invalid_type' ? GROUP_FORMS : undefined),
  });
}

/** Two numbers that something is drawn between. */
export const range = (min: number, max: number) =>
  group({ min: number(0, 1_000).default(min), max: number(0, 1_000).default(max) }).prefault({});
