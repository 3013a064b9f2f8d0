/** The board and its view as tools of one worker. Leases stay here: a model sees who holds what, never a token. */
import { z } from 'zod';
import type { Board } from '../board/types.ts';
import { encodeInstant, encodeName, encodeValue } from '../board/view/encode.ts';
import { fenced } from '../board/view/fence.ts';
import { lineOf } from '../board/view/render.ts';
import { defineTool, type Tool } from '../plan/tools/tool.ts';
import type { Json, Lease, Outcome } from '../store.ts';

const key = z.string().min(1).describe('Key, such as facts/pricing.');
const value = z.json().describe('Any JSON value.');
const pattern = 'A star is one whole segment, such as facts/*.';

/** Tools over one worker's handle. Refusals are texts that begin with REJECTED, as those of the plan. */
export function boardTools(board: Board): readonly Tool[] {
  /** The lease of each item that this worker holds, as far as it knows. */
  const held = new Map<string, Lease>();
  const leaseOf = (item: string) => {
    const lease = held.get(item);
    return lease === undefined ? {} : { lease };
  };

  function answer<T>(outcome: Outcome<T>, said: (accepted: T) => string): string {
    if (outcome.accepted) return said(outcome.value);
    return `REJECTED (${outcome.refusal.code}): ${outcome.refusal.message}`;
  }
  async function asHolder(item: string, act: (lease: Lease) => Promise<string>): Promise<string> {
    const lease = held.get(item);
    if (lease !== undefined) return act(lease);
    return `REJECTED (not-held): Expected ${encodeName(item)} to be claimed by you, found no claim. Call board_claim.`;
  }
  /** Without a deadline in the lease the store alone knows. */
  const until = ({ expiresAtMs }: Lease): string =>
    expiresAtMs === undefined ? 'until the store says no' : `until ${encodeInstant(expiresAtMs)}`;

  return [
    defineTool({
      name: 'board_view',
      description:
        'Shows what other workers wrote, newest first, within a limit. Read it before you start, and again before you decide.',
      input: z.strictObject({
        subscribe: z.array(z.string()).min(1).describe(`Patterns of keys to show. ${pattern}`),
        pinned: z
          .array(z.string())
          .optional()
          .describe('Patterns of keys that come first and are never cut.'),
        limit: z.int().min(200).max(100_000).optional().describe('Length in characters. 8000 when left out.'),
      }),
      run: async ({ subscribe, pinned, limit }) => {
        const view = await board.view({
          subscribe,
          ...(pinned === undefined ? {} : { pinned }),
          ...(limit === undefined ? {} : { limit }),
        });
        return view === '' ? 'Nothing to show.' : view;
      },
    }),
    defineTool({
      name: 'board_get',
      description: 'Shows the newest entry of one key, and its version.',
      input: z.strictObject({ key }),
      run: async (input) => {
        const entry = await board.get(input.key);
        if (entry === undefined) return `Nothing under ${encodeName(input.key)} (version 0).`;
        return `${fenced([lineOf(entry)])}\nversion ${entry.version}`;
      },
    }),
    defineTool({
      name: 'board_append',
      description: 'Adds an entry for others to read. Nothing is overwritten.',
      input: z.strictObject({ key, value }),
      run: async ({ key: at, value: content }) =>
        answer(
          await board.append(at, content as Json, leaseOf(at)),
          (entry) => `Appended as version ${entry.version}.`,
        ),
    }),
    defineTool({
      name: 'board_set',
      description:
        'Writes a key of your own, or one that you have claimed. With ifVersion only if nobody has written since you read it.',
      input: z.strictObject({
        key,
        value,
        ifVersion: z.int().min(0).optional().describe('The version that you saw, 0 for an absent key.'),
      }),
      run: async ({ key: at, value: content, ifVersion }) =>
        answer(
          await board.set(at, content as Json, {
            ...leaseOf(at),
            ...(ifVersion === undefined ? {} : { ifVersion }),
          }),
          (entry) => `Written as version ${entry.version}.`,
        ),
    }),
    defineTool({
      name: 'board_claim',
      description: 'Takes an item for a limited time, so that nobody else works on it.',
      input: z.strictObject({
        key,
        leaseMs: z.int().min(1).describe('For how long, in ms: three times what the work usually takes.'),
      }),
      run: async ({ key: at, leaseMs }) =>
        answer(await board.claim(at, { leaseMs }), (lease) => {
          held.set(at, lease);
          return `Yours ${until(lease)}. Close it with board_complete, or give it back with board_release.`;
        }),
    }),
    defineTool({
      name: 'board_heartbeat',
      description: 'Extends your claim of an item. A refusal means that it is lost: stop that work at once.',
      input: z.strictObject({ key }),
      run: ({ key: at }) =>
        asHolder(at, async (lease) =>
          answer(await board.heartbeat(lease), (kept) => {
            held.set(at, kept);
            return `Yours ${until(kept)}.`;
          }),
        ),
    }),
    defineTool({
      name: 'board_complete',
      description: 'Stores the result of an item that you have claimed. It is finished for good.',
      input: z.strictObject({ key, result: value }),
      run: ({ key: at, result }) =>
        asHolder(at, async (lease) =>
          answer(await board.complete(lease, result as Json), () => 'Completed.'),
        ),
    }),
    defineTool({
      name: 'board_release',
      description: 'Gives back an item that you have claimed, unfinished.',
      input: z.strictObject({ key }),
      run: ({ key: at }) =>
        asHolder(at, async (lease) => answer(await board.release(lease), () => 'Released.')),
    }),
    defineTool({
      name: 'board_item',
      description: 'Shows the state of an item: who holds it, or its result.',
      input: z.strictObject({ key }),
      run: async (input) => {
        const item = await board.item(input.key);
        if (item === undefined) return `Nobody has ever claimed ${encodeName(input.key)}.`;
        const { state, owner, result, expiresAtMs } = item;
        const parts = [
          state,
          ...(owner === undefined ? [] : [`by ${encodeName(owner)}`]),
          ...(state === 'leased' && expiresAtMs !== undefined ? [`until ${encodeInstant(expiresAtMs)}`] : []),
          ...(result === undefined ? [] : [encodeValue(result)]),
        ];
        return fenced([`${encodeName(input.key)} ${parts.join(' ')}`]);
      },
    }),
  ];
}
