#!/usr/bin/env node
/**
 * Writes the reference pages that come from registries: guarantees, faults, mutants, errors, and the table in the README;
 * and the JSON Schemas.
 * `--check` writes nothing and fails when a page is stale; `npm run check` does that.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { GUARANTEES } from '../dist/harness/checker/guarantee.js';
import { faultList } from '../dist/harness/nemesis/registry.js';
import { jsonSchemas } from '../dist/harness/report/json-schemas.js';
import { scenarioJsonSchema } from '../dist/harness/scenario/schema.js';
import { USAGE_CODES } from '../dist/harness/scenario/usage-error.js';
import { INNOCENTS } from '../dist/scenarios/innocents/registry.js';
import { MUTANTS } from '../dist/scenarios/mutants/registry.js';
import { ERROR_CODES } from '../dist/src/errors.js';

const cell = (text) => text.replaceAll('|', '\\|');
const row = (...cells) => `| ${cells.map(cell).join(' | ')} |`;
const table = (head, rows) =>
  [row(...head), row(...head.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');
const generated = 'Written by `npm run docs` from the registry; edit that.';

/** Keys that belong to one fault: its weight, and what it can be told. */
function optionRows(name) {
  const faults = scenarioJsonSchema().properties.faults.anyOf.find(({ type }) => type === 'object');
  const rows = [
    [
      `\`faults.${name}\``,
      'weight',
      shown(faults.properties[name].default),
      faults.properties[name].description,
    ],
  ];
  if (['pause', 'twin', 'stall', 'crash-point'].includes(name))
    walk('faults.pauseLeases', faults.properties.pauseLeases);
  const own = faults.properties.options.properties[name];
  if (own) walk(`faults.options.${name}`, own);
  return rows;

  function walk(path, schema, inherited = '') {
    const said = schema.description ?? inherited;
    if (schema.properties === undefined) {
      rows.push([`\`${path}\``, formOf(schema), shown(schema.default), said]);
      return;
    }
    for (const [key, one] of Object.entries(schema.properties)) walk(`${path}.${key}`, one, said);
  }
}

const shown = (value) => (value === undefined ? '' : `\`${JSON.stringify(value).replaceAll('"', '')}\``);

function formOf({ type, items }) {
  if (type === 'array')
    return items.enum ? `list of ${items.enum.map((one) => `\`${one}\``).join(' ')}` : 'list';
  return type ?? '';
}

function faultPage(fault) {
  const upper = (text) => text[0].toUpperCase() + text.slice(1);
  return `# ${fault.name}

${generated} [All faults](../faults.md).

${upper(fault.does)}.

- needs: ${fault.needs}
- confirmed by: ${fault.confirmedBy}
- healed by: ${fault.healedBy}
- cannot show: ${fault.cannotShow}
${fault.more === undefined ? '' : `\n${fault.more}\n`}
## In a scenario

${table(['key', 'form', 'default', 'meaning'], optionRows(fault.name))}
`;
}

const pages = {
  'docs/spec/guarantees.md': `# Guarantees

${generated} Tests cite a guarantee by its id. The rule of each, its formal condition and the smallest history that breaks it stand in
the header of its file.

${table(
  ['id', 'name', 'what must hold', 'file'],
  GUARANTEES.map(({ id, name, statement, file }) => [
    id,
    name,
    statement,
    `[${file.split('/').at(-1)}](../../${file})`,
  ]),
)}

## How strong a clean result is

With N opportunities and none broken, at most 3/N of opportunities break it, at 95 % (rule of three). What a clean result does not prove:

${table(
  ['id', 'an opportunity is', 'not proven'],
  GUARANTEES.map(({ id, opportunity, notProven }) => [id, opportunity, notProven]),
)}
`,
  'docs/faults.md': `# Faults

${generated} Every fault is intent → inject → confirm → heal → confirm; all of it is in the history. *Missed* (the target was gone
already) counts for nothing; *failed* (sent, and no effect) makes the run a harness error. Obligations never read what a fault says of
itself: they count exits, process states, calls, and what workers wrote of themselves.

A scenario gives faults a weight under \`faults\`, and more under \`faults.options\`. A fault that cannot be suffered here is refused before
anything starts (exit 64), with what is missing.

${table(
  ['fault', 'what is done', 'needs'],
  faultList().map(({ name, does, needs }) => [`[${name}](faults/${name}.md)`, does, needs]),
)}
`,
  'docs/mutants.md': `# Stores that are broken on purpose

${generated} \`fencepost mutants\` runs each of them until a violation is seen, and prints which guarantee was seen broken by which
mutant, and when. A mutant that is not caught is a hole in the checkers, and the command exits 1; a documented limit is none.
\`fencepost run SCENARIO --store mutant:M01\` runs one by hand.

A *core* mutant is the SQLite store with one rule or statement replaced. A *decorator* needs nothing but the Store contract, so it can
stand around anybody's store: those marked *power* are put around yours by \`fencepost run --power\`.

${table(
  ['id', 'what is broken', 'kind', 'caught by', 'visible only if', 'scenario'],
  MUTANTS.map(({ id, title, kind, power, breaks, needs, scenario = 'kill-mid-lease' }) => [
    `[${id}](../scenarios/mutants/${MUTANTS.find((one) => one.id === id).module}.ts)`,
    title,
    power === undefined ? kind : `${kind}, power`,
    breaks.join(' '),
    needs,
    scenario,
  ]),
)}

## Documented limits

${MUTANTS.filter(({ limit }) => limit !== undefined)
  .map(({ id, title, limit }) => `- ${id}, ${title}: ${limit}`)
  .join('\n')}

## What a green run of yours would have noticed

\`fencepost run SCENARIO --store ./my-store.mjs --power\` runs the scenario; after a valid run it puts the *power* mutants around your
own store, one after another, and runs the same scenario on each until a violation is seen. It tells which of these bugs the scenario
would have noticed, and for the others which evidence was missing. \`--power-max 3m\` bounds the time. A store whose scan does not show
the holder, or whose token is not the text of the generation, cannot be given M01 and M03 from outside: they are then told as not noticed.

## Stores that are odd and correct

They must never be accused. \`npm run soak -- innocents-live\` runs these; the histories of all of them are judged by
[odd-innocents.test.ts](../test/unit/checker/odd-innocents.test.ts), 1,000 of each by \`npm run soak -- innocents\`.

${table(
  ['id', 'what is odd'],
  INNOCENTS.map(({ id, title, module }) => [`[${id}](../scenarios/innocents/${module}.ts)`, title]),
)}

Mutants of the harness itself (H01–H14) and the test that notices each:
[table.test.ts](../test/unit/harness-mutants/table.test.ts).
`,
  ...Object.fromEntries(faultList().map((fault) => [`docs/faults/${fault.name}.md`, faultPage(fault)])),
  'docs/errors.md': `# Error codes

${generated}

## The core (\`FencepostError\`)

${table(
  ['code', 'meaning'],
  Object.entries(ERROR_CODES).map(([code, meaning]) => [`\`${code}\``, meaning]),
)}

## Refused input (\`UsageError\`, exit 64)

${table(
  ['code', 'meaning'],
  Object.entries(USAGE_CODES).map(([code, meaning]) => [`\`${code}\``, meaning]),
)}
`,
};

const readme = readFileSync('README.md', 'utf8');
pages['README.md'] = readme.replace(
  /(<!-- guarantees -->\n)[\s\S]*?(<!-- \/guarantees -->)/,
  `$1${table(
    ['id', 'name', 'what must hold'],
    GUARANTEES.map(({ id, name, statement }) => [id, name, statement]),
  )}\n$2`,
);

for (const [name, schema] of Object.entries(jsonSchemas()))
  pages[`docs/schema/${name}`] = `${JSON.stringify(schema, null, 2)}\n`;

const isCheck = process.argv.includes('--check');
const read = (path) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};
const stale = Object.entries(pages).filter(([path, text]) => read(path) !== text);
for (const [path, text] of stale) {
  if (isCheck) console.error(`${path} is stale: run \`npm run docs\``);
  else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
if (isCheck && stale.length > 0) process.exitCode = 1;
