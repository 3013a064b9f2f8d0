/** A Model Context Protocol server over one worker's handle on a board and a plan. Loaded only when it is needed. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createBoard } from '../board/board.ts';
import type { BoardConfig } from '../board/config.ts';
import { createPlan } from '../plan/plan.ts';
import { PLAN_GUIDANCE } from '../plan/tools/guidance.ts';
import { ownerOf } from '../plan/tools/tool-set.ts';
import { planTools } from '../plan/tools/verbs.ts';
import type { Store } from '../store.ts';
import { boardTools } from './mcp-tools.ts';
import { VERSION } from './version.ts';

/** What is served. */
export interface McpOptions {
  readonly store: Store;
  readonly config: BoardConfig;
  /** Label of the worker on the board; its owner in the plan is this and 8 random hex digits. */
  readonly worker: string;
  readonly planId: string;
  readonly leaseMs?: number | undefined;
  readonly maxAttempts?: number | undefined;
}

const BOARD_GUIDANCE = `The board beside the plan is for what workers tell one another: board_view shows what others wrote, board_append and board_set write for them, board_claim takes an item so that nobody else works on it.`;

/** Serves until the other side closes, or the signal comes. */
export async function serveMcp(options: McpOptions, transport: Transport, stop: AbortSignal): Promise<void> {
  const server = createMcpServer(options);
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
  });
  stop.addEventListener('abort', () => void server.close());
  await server.connect(transport);
  if (stop.aborted) await server.close();
  await closed;
}

function createMcpServer(options: McpOptions): McpServer {
  const { store, config, worker, planId, leaseMs, maxAttempts } = options;
  const owner = ownerOf(worker);
  const { leaseMs: boardLeaseMs, ...settings } = config;
  const board = createBoard({
    store,
    label: worker,
    ...settings,
    ...(boardLeaseMs === undefined ? {} : { leaseMs: boardLeaseMs }),
  });
  const plan = createPlan({
    store,
    planId,
    label: owner,
    ...(leaseMs === undefined ? {} : { leaseMs }),
    ...(maxAttempts === undefined ? {} : { maxAttempts }),
  });
  const server = new McpServer(
    { name: 'blackboard', version: VERSION },
    { instructions: `${PLAN_GUIDANCE}\n\n${BOARD_GUIDANCE}` },
  );
  for (const { name, description, input, handler } of [...planTools(plan, owner), ...boardTools(board)]) {
    server.registerTool(name, { description, inputSchema: input }, async (args: unknown) => ({
      content: [{ type: 'text' as const, text: await handler(args) }],
    }));
  }
  return server;
}
