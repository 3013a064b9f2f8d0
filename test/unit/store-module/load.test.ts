import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../../harness/scenario/usage-error.ts';
import { DEFAULT_DECLARES } from '../../../harness/store-module/declares.ts';
import { loadStoreModule } from '../../../harness/store-module/load.ts';
import { resolveStoreModule } from '../../../harness/store-module/ref.ts';

const folder = mkdtempSync(join(tmpdir(), 'fencepost-module-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
function moduleOf(source: string, ending = 'mjs') {
  count += 1;
  const name = `store-${count}.${ending}`;
  writeFileSync(join(folder, name), source);
  return resolveStoreModule(`./${name}`, { cwd: folder });
}

async function refusal(call: () => unknown): Promise<UsageError> {
  try {
    await call();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('expected a UsageError');
}

const load = (source: string) => refusal(() => loadStoreModule(moduleOf(source)));

describe('resolveStoreModule', () => {
  it.each(['sqlite', 'memory'])('finds the built-in %s', (name) => {
    expect(resolveStoreModule(name).url).toMatch(new RegExp(`^file://.*/src/stores/${name}/module\\.ts$`));
  });

  it('asks the caller for mutants', () => {
    expect(resolveStoreModule('mutant:M01', { mutant: (id) => `file:///m/${id}.js` })).toEqual({
      spec: 'mutant:M01',
      url: 'file:///m/M01.js',
    });
  });

  it('takes a path relative to the working directory, an absolute one and a URL', () => {
    const ref = moduleOf('export default () => {};');
    expect(resolveStoreModule(ref.url).url).toBe(ref.url);
    expect(resolveStoreModule(join(folder, 'store-1.mjs')).url).toBe(
      pathToFileURL(join(folder, 'store-1.mjs')).href,
    );
  });

  it.each([
    ['sqllite', 'Did you mean `sqlite`?'],
    ['postgres://localhost/x', 'Accepted: `sqlite`, `memory`'],
    ['mutant:M01', '`mutant:M01`'],
  ])('refuses %s', async (spec, hint) => {
    const error = await refusal(() => resolveStoreModule(spec));
    expect(error.code).toBe('STORE_UNKNOWN');
    expect(error.message).toContain(`Expected a store, got \`${spec}\`.`);
    expect(error.hint).toContain(hint);
  });

  it('proposes a file of that name', async () => {
    writeFileSync(join(folder, 'mystore'), '');
    expect((await refusal(() => resolveStoreModule('mystore', { cwd: folder }))).hint).toContain(
      '`./mystore`',
    );
  });

  it('refuses a file that is not there, and a folder', async () => {
    const missing = await refusal(() => resolveStoreModule('./none.mjs', { cwd: folder }));
    expect(missing).toMatchObject({
      code: 'STORE_MODULE_MISSING',
      place: { file: join(folder, 'none.mjs') },
    });
    expect((await refusal(() => resolveStoreModule('./', { cwd: folder }))).message).toContain(
      'it is a folder',
    );
  });
});

describe('loadStoreModule', () => {
  it('fills in the declarations', async () => {
    const loaded = await loadStoreModule(
      moduleOf("export const declares = { sharedBy: 'network' };\nexport default () => 7;"),
    );
    expect(loaded.declares).toEqual({ ...DEFAULT_DECLARES, sharedBy: 'network' });
    expect(loaded.open({ namespace: 'n', location: 'l' })).toBe(7);
    expect(loaded.prepare).toBeUndefined();
  });

  it('keeps prepare and destroy', async () => {
    const loaded = await loadStoreModule(
      moduleOf('export default () => {};\nexport function prepare() {}\nexport async function destroy() {}'),
    );
    expect(loaded.prepare).toBeTypeOf('function');
    expect(loaded.destroy).toBeTypeOf('function');
  });

  it.each([
    ['', 'and it exports nothing.'],
    ['export const open = () => {};', 'and it exports `open`.'],
    ['export default { open() {} };', 'and its default export is an object.'],
    ['export default "yes";', 'and its default export is "yes" (string).'],
  ])('wants a default export: %s', async (source, got) => {
    const error = await load(source);
    expect(error.code).toBe('STORE_MODULE_EXPORTS');
    expect(error.message).toContain('to have a function as its default export');
    expect(error.message).toContain(got);
    expect(error.hint).toContain('export default (options) =>');
    expect(error.place?.file).toMatch(/store-\d+\.mjs$/);
  });

  it('names a misspelt export', async () => {
    const error = await load('export default () => {};\nexport const declare = {};');
    expect(error.message).toContain('to export `declares`, got `declare`.');
  });

  it('keeps plans of its own', async () => {
    const loaded = await loadStoreModule(
      moduleOf('export default () => {};\nexport const createPlan = () => 7;'),
    );
    expect(loaded.createPlan).toBeTypeOf('function');
    const wrong = await load('export default () => {};\nexport const createPlan = {};');
    expect(wrong.message).toContain('Expected `createPlan` of `./store-');
  });

  it('wants functions', async () => {
    expect((await load('export default () => {};\nexport const prepare = 5;')).message).toContain(
      'Expected `prepare` of `./store-',
    );
  });

  it.each([
    ['{ fencng: "lock" }', 'Expected a known key, got `declares.fencng`.', 'Did you mean `fencing`?'],
    [
      '{ fencing: "locks" }',
      "Expected `declares.fencing` to be one of 'none', 'resource', 'lock', got \"locks\" (string).",
      undefined,
    ],
    ['{ batch: 0 }', 'Expected `declares.batch` to be a number from 1, got 0 (number).', undefined],
    ['{ grainMs: "1ms" }', 'Expected `declares.grainMs` to be a number, got "1ms" (string).', undefined],
    [
      '{ retentionMs: "long" }',
      "Expected `declares.retentionMs` to be 'forever', or a number of milliseconds, got",
      undefined,
    ],
    ['5', 'Expected `declares` to be an object, got 5 (number).', undefined],
    ['null', 'Expected `declares` to be an object, got null.', undefined],
  ])('refuses declares = %s', async (declares, message, hint) => {
    const error = await load(`export default () => {};\nexport const declares = ${declares};`);
    expect(error.code).toBe('STORE_MODULE_DECLARES');
    expect(error.message).toContain(message);
    if (hint !== undefined) expect(error.hint).toContain(hint);
  });

  it('says what an import threw', async () => {
    const error = await load('throw new Error("no database");');
    expect(error.code).toBe('STORE_MODULE_IMPORT');
    expect(error.message).toContain('could not be imported. Error: no database');
  });

  const failing = (ending: string, code: string | undefined, message: string) =>
    refusal(() =>
      loadStoreModule(moduleOf('', ending), {
        importer: () => Promise.reject(Object.assign(new Error(message), code === undefined ? {} : { code })),
      }),
    );

  it('says what to do with TypeScript', async () => {
    const error = await failing('ts', 'ERR_UNKNOWN_FILE_EXTENSION', 'Unknown file extension ".ts"');
    expect(error.code).toBe('STORE_MODULE_TYPESCRIPT');
    expect(error.message).toContain(`Node ${process.versions.node} cannot load it`);
    expect(error.hint).toContain('tsx');
  });

  it('says which import is missing', async () => {
    const error = await failing('mjs', 'ERR_MODULE_NOT_FOUND', "Cannot find package 'pg'");
    expect(error.code).toBe('STORE_MODULE_MISSING');
    expect(error.message).toContain("Cannot find package 'pg'");
  });

  it('does not wait for ever', async () => {
    const ref = moduleOf('await new Promise(() => {});');
    const error = await refusal(() => loadStoreModule(ref, { timeLimitMs: 50 }));
    expect(error.message).toContain('the import of the module did not finish within 0.05 s');
  });
});
