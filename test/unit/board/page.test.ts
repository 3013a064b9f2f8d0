/** Runs every snippet of docs/board.md, in its order, as one program. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import * as fencepost from '../../../src/index.ts';
import { blackboard } from '../blackboard-cli/command.ts';

const AsyncFunction = (async () => {}).constructor as new (
  ...source: string[]
) => (...given: unknown[]) => Promise<void>;

const page = readFileSync('docs/board.md', 'utf8');
const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
  language,
  text,
}));
const of = (language: string) =>
  blocks.filter((block) => block.language === language).map(({ text }) => text);

/** What is printed, but for the time that is left. */
const timeless = (text: string) => text.replaceAll(/\d+\.\d s/g, '# s');

it('every snippet of the page runs, and the commands print what the page shows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-page-'));
  const real = (text: string) => text.replaceAll(/\bboard\.(db|yaml)\b/g, (name) => join(folder, name));
  try {
    writeFileSync(join(folder, 'board.yaml'), of('yaml').join(''));
    const program = of('js')
      .join('\n')
      .replaceAll(/^import (\{.*\}) from 'fencepost';$/gm, 'const $1 = fencepost;');
    await new AsyncFunction('fencepost', 'assert', 'sleep', `${real(program)}\nawait store.close();`)(
      fencepost,
      assert,
      sleep,
    );
    for (const text of of('console')) {
      const [, command = '', shown = ''] = /^\$ blackboard (.*)\n([\s\S]*)$/.exec(text) ?? [];
      const { code, stdout, stderr } = await blackboard(real(command).split(' '), { clock: systemClock });
      expect(code).toBe(0);
      expect(timeless(stdout || stderr)).toBe(timeless(shown));
    }
    expect(of('js').length).toBeGreaterThan(10);
    expect(of('console')).toHaveLength(3);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
