/** `fencepost scenarios`, `faults`, `guarantees`: what there is, one line each, to stdout. */
import type { Command } from 'commander';
import { GUARANTEES } from '../checker/guarantee.ts';
import { faultList } from '../nemesis/registry.ts';
import { OBLIGATIONS } from '../obligation/registry.ts';
import { table } from '../report/table.ts';
import { loadScenario } from '../scenario/load.ts';
import { scenarioJsonSchema } from '../scenario/schema.ts';
import type { CliContext } from './context.ts';
import { scenarioFiles } from './find-scenario.ts';

const bare = { head: (text: string) => text };

/** Adds the three commands to the program. */
export function addLists(program: Command, context: CliContext): void {
  const print = (lines: readonly string[]) => void context.stdout.write(`${lines.join('\n')}\n`);

  program
    .command('scenarios')
    .summary('the scenarios that come with the package')
    .description('Lists the scenarios that come with the package. Copy one, and change it.')
    .option('--schema', 'print the JSON Schema of scenario files, for editors')
    .addHelpText(
      'after',
      '\nExamples:\n  $ fencepost scenarios\n  $ fencepost scenarios --schema > scenario.schema.json',
    )
    .action((flags: { schema?: boolean }) => {
      if (flags.schema) return print([JSON.stringify(scenarioJsonSchema(), null, 2)]);
      const rows = scenarioFiles(context.scenarios).map((file) => {
        const { name, description } = loadScenario(file);
        return [name, firstSentence(description)];
      });
      print(table([{ head: 'scenario' }, { head: 'what happens' }], rows, bare));
    });

  program
    .command('faults')
    .summary('what can be done to the workers')
    .description('Lists the faults that a scenario can give a weight.')
    .addHelpText('after', '\nExample:\n  $ fencepost faults')
    .action(() => {
      const rows = faultList().map((fault) => [fault.name, fault.does]);
      print(table([{ head: 'fault' }, { head: 'what is done' }], rows, bare));
    });

  program
    .command('guarantees')
    .summary('what is judged, and the evidence that is asked for')
    .description(
      'Lists the guarantees that a run judges, and the evidence that must be seen before it may say valid.',
    )
    .addHelpText('after', '\nExample:\n  $ fencepost guarantees')
    .action(() => {
      const judged = GUARANTEES.map((one) => [one.id, one.name, one.statement]);
      const asked = OBLIGATIONS.map((one) => [one.id, String(one.min), one.statement]);
      print([
        ...table([{ head: 'id' }, { head: 'guarantee' }, { head: 'what must hold' }], judged, bare),
        '',
        ...table(
          [{ head: 'evidence' }, { head: 'at least', align: 'right' }, { head: 'what counts' }],
          asked,
          bare,
        ),
      ]);
    });
}

function firstSentence(text: string): string {
  return /^.*?[.?!](?=\s|$)/s.exec(text)?.[0] ?? text;
}
