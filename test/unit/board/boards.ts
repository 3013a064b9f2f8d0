/** Boards of one store, each on a handle of its own, under one fake clock. */
import { afterEach, beforeEach, expect } from 'vitest';
import { createBoard } from '../../../src/board/board.ts';
import type { Board, BoardOptions } from '../../../src/board/types.ts';
import type { WorkOptions } from '../../../src/lease/work.ts';
import { createWorld, type Engine, type Handle, type World } from '../../support/world.ts';

export { ENGINES } from '../../support/world.ts';

/** An answer of the contract, or of `update`. */
type Answer<T, R> =
  | { readonly accepted: true; readonly value: T }
  | { readonly accepted: false; readonly refusal: R };
interface No {
  readonly code: string;
  readonly message: string;
}

/** The value of an accepted answer. */
export function ok<T>(answer: Answer<T, No>): T {
  if (answer.accepted) return answer.value;
  throw new Error(`Expected an accepted answer, got ${answer.refusal.code}: ${answer.refusal.message}`);
}

/** `accepted`, or the code of the refusal. */
export function codeOf(answer: Answer<unknown, No>): string {
  return answer.accepted ? 'accepted' : answer.refusal.code;
}

/** The duration that the checks of the seed pass in. */
export const LEASE_MS = 300_000;

export interface Boards {
  readonly world: World;
  /** A board of its own connection. */
  open(label: string, options?: Partial<BoardOptions> & WorkOptions): Promise<Board & { store: Handle }>;
}

/** Makes a fresh world for every test of the block. */
export function useBoards(engine: Engine): Boards {
  let world: World;
  beforeEach(() => {
    world = createWorld(engine, { wallMs: 0 });
  });
  afterEach(() => world.end());
  return {
    get world() {
      return world;
    },
    async open(label, { rules, ...options } = {}) {
      const store = await world.open({ items: 'on-demand', ...(rules === undefined ? {} : { rules }) });
      return { ...createBoard({ store, label, leaseMs: LEASE_MS, ...options }), store };
    },
  };
}

/** The refusal of an answer. */
export function refusal<R>(outcome: Answer<unknown, R>): R {
  if (outcome.accepted) throw new Error('Expected a refusal, got an accepted answer.');
  return outcome.refusal;
}

/** An error of the core with this code. */
export const thrown = (code: string, message: RegExp = /./) =>
  expect.objectContaining({ code, definite: true, message: expect.stringMatching(message) });
