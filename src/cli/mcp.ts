/** `blackboard mcp`: the board and the plan as tools for an agent, over stdin and stdout. */
import { type Command, Option } from 'commander';
import { checkLabel } from '../board/validate.ts';
import { withBoard } from './board-file.ts';
import type { CliContext } from './context.ts';
import { EXIT } from './exit.ts';
import { readWhole } from './flags.ts';

interface Flags {
  readonly as: string;
  readonly plan: string;
  readonly leaseMs?: number;
  readonly attempts?: number;
  readonly config?: string;
}

export function addMcp(program: Command, context: CliContext, done: (code: number) => void): void {
  program
    .command('mcp')
    .summary('the board and the plan as tools for an agent')
    .description(
      'Serves the Model Context Protocol over stdin and stdout, until stdin ends. An agent that starts this command gets tools for the plan, the board and its view; any number of agents share one file. The file is made when it is not there.',
    )
    .argument('<file>', "the board's file")
    .requiredOption('--as <worker>', 'label of the worker on the board')
    .option('--plan <id>', 'which plan', 'main')
    .addOption(
      new Option('--lease-ms <ms>', 'how long a claimed task stays claimed (default: 900000)').argParser(
        readWhole(1),
      ),
    )
    .addOption(
      new Option('--attempts <number>', 'hand-outs before a task is parked (default: 3)').argParser(
        readWhole(1),
      ),
    )
    .option('--config <path>', 'namespaces of the board, as YAML or JSON')
    .addHelpText(
      'after',
      '\nExample, as the entry of an MCP client:\n  {"command": "npx", "args": ["blackboard", "mcp", "board.db", "--as", "scout"]}',
    )
    .action(async (file: string, flags: Flags) => {
      const { as: worker, plan: planId, leaseMs, attempts: maxAttempts, config: path } = flags;
      checkLabel('--as', worker);
      // Loaded only now: the other commands start without it.
      const { serveMcp } = await import('./mcp-server.ts');
      const interruption = context.interruption();
      await withBoard({ file, config: path, clock: context.clock, make: true }, async ({ store, config }) => {
        const transport = await context.transport();
        await serveMcp(
          { store, config, worker, planId, leaseMs, maxAttempts },
          transport,
          interruption.signal,
        );
      });
      const by = interruption.by();
      if (by !== undefined) done(EXIT[by]);
    });
}
