/** `fencepost scenarios`, `faults`, `guarantees`: what there is, one line each, to stdout. */
import type { Command } from 'commander';
import { table } from '../../src/text/table.ts';
import { GUARANTEES } from '../checker/guarantee.ts';
import { faultList } from '../nemesis/registry.ts';
import { OBLIGATIONS } from '../obligation/registry.ts';
import { loadScenario } from '../scenario/load.ts';
import { scenarioJsonSchema } from '../scenario/schema.ts';
import type { CliContext } from './context.ts';
import { scenarioFiles } from './find-scenario.ts';
import { after } from './help.ts';

/** Adds the three commands to the program. */
export function addLists(program: Command, context: CliContext): void {
  const bare = { head: (text: string) => text, width: context.style.width };
  const print = (lines: readonly string[]) => void context.stdout.write(`${lines.join('\n')}\n`);

  program
    .command('scenarios')
    .summary('the scenarios that come with the package')
    .description('Lists the scenarios that come with the package. Copy one, and change it.')
    .option('--schema', 'print the JSON Schema of scenario files, for editors')
    .addHelpText(
      'after',
      after(context, ['fencepost scenarios', 'fencepost scenarios --schema > scenario.schema.json']),
    )
    .action((flags: { schema?: boolean }) => {
      if (flags.schema) return print([JSON.stringify(scenarioJsonSchema(), null, 2)]);
      const rows = scenarioFiles(context.scenarios).map((file) => {
        const { name, description } = loadScenario(file);
        return [name, firstSentence(description)];
      });
      print(table([{ head: 'scenario' }, { head: 'what happens', wraps: true }], rows, bare));
    });

  program
    .command('faults')
    .summary('what can be done to the workers')
    .description('Lists the faults that a scenario can give a weight.')
    .addHelpText('after', after(context, ['fencepost faults']))
    .action(() => {
      const rows = faultList().map((fault) => [fault.name, fault.does]);
      print(table([{ head: 'fault' }, { head: 'what is done', wraps: true }], rows, bare));
    });

  program
    .command('guarantees')
    .summary('what is judged, and the evidence that is asked for')
    .description(
      'Lists the guarantees that a run judges, and the evidence that must be seen before it may say valid.',
    )
    .addHelpText('after', after(context, ['fencepost guarantees']))
    .action(() => {
      const judged = GUARANTEES.map((one) => [one.id, one.name, one.statement]);
      const asked = OBLIGATIONS.map((one) => [one.id, String(one.min), one.statement]);
      print([
        ...table(
          [{ head: 'id' }, { head: 'guarantee', isName: true }, { head: 'what must hold', wraps: true }],
          judged,
          bare,
        ),
        '',
        ...table(
          [{ head: 'evidence' }, { head: 'at least', align: 'right' }, { head: 'what counts', wraps: true }],
          asked,
          bare,
        ),
      ]);
    });
}

function firstSentence(text: string): string {
  return /^.*?[.?!](?=\s|$)/s.exec(text)?.[0] ?? text;
}
