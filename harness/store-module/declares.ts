/** Declarations of a store, filled in with their defaults (spec/checking.md 3.3). One schema for every door. */
import { z } from 'zod';

const ms = z.number().finite().min(0);

export const declaresSchema = z.strictObject({
  sharedBy: z.enum(['process', 'host', 'network']).default('host'),
  embedded: z.boolean().default(false),
  pausePoints: z.boolean().default(false),
  items: z.enum(['enqueued', 'on-demand']).default('enqueued'),
  fencing: z.enum(['none', 'resource', 'lock']).default('lock'),
  tokens: z.enum(['ascending', 'opaque', 'none']).default('ascending'),
  tokenScope: z.enum(['item', 'queue', 'global']).default('item'),
  clock: z.enum(['store-monotonic', 'store-wall', 'client-wall']).default('store-monotonic'),
  clockDrift: z.number().finite().min(0).max(0.5).default(0),
  clockStepMs: ms.default(0),
  grainMs: ms.default(1),
  minLeaseMs: ms.default(1),
  maxLeaseMs: ms.default(Number.MAX_SAFE_INTEGER),
  reapIntervalMs: ms.default(0),
  lateCalls: z.enum(['refused', 'allowed-if-not-superseded']).default('refused'),
  releaseRefundsAttempt: z.boolean().default(false),
  maxAttempts: z.boolean().default(true),
  delivery: z.enum(['at-least-once', 'at-most-once']).default('at-least-once'),
  order: z.enum(['none', 'fifo', 'priority']).default('none'),
  reads: z.enum(['linearizable', 'monotonic', 'eventual']).default('linearizable'),
  retentionMs: z.union([z.literal('forever'), ms]).default('forever'),
  dedupe: z.boolean().default(false),
  durability: z.enum(['none', 'process-crash', 'power-loss']).default('process-crash'),
  showsRequest: z.boolean().default(false),
  batch: z.number().int().min(1).default(1),
  definiteErrors: z.array(z.string()).default([]),
});

/** Declarations with every default filled in. */
export type Declares = z.output<typeof declaresSchema>;

/** The declarations of a store that declares nothing. */
export const DEFAULT_DECLARES: Declares = declaresSchema.parse({});
