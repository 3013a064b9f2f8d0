import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createBoard } from '../../../src/board/board.ts';
import { parseBoardConfig } from '../../../src/board/config.ts';
import { loadBoardConfig } from '../../../src/board/config-file.ts';
import { DEFAULT_NAMESPACES } from '../../../src/board/namespaces.ts';
import { createMemoryStore } from '../../../src/stores/memory/store.ts';
import { ok, thrown } from './boards.ts';

const folder = mkdtempSync(join(tmpdir(), 'fencepost-board-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(text: string): string {
  const path = join(folder, 'board.yaml');
  writeFileSync(path, text);
  return path;
}

describe('the settings of a board', () => {
  it('default to the four namespaces, and to no duration', () => {
    expect(parseBoardConfig({})).toEqual({ namespaces: DEFAULT_NAMESPACES, orchestrator: 'orchestrator' });
  });

  it("come from a file, with a project's own namespaces", async () => {
    const config = loadBoardConfig(
      file(`
namespaces:
  - { pattern: notes/*/*, mode: append }
  - { pattern: jobs/compile/*, mode: leased }
  - { pattern: drafts/*/*, mode: owned }
  - { pattern: state, mode: single, writer: boss }
leaseMs:
  jobs/compile/*: 30000
orchestrator: boss
`),
    );
    const store = createMemoryStore({ items: 'on-demand' });
    const board = createBoard({ ...config, store, leaseMs: config.leaseMs ?? 1, label: 'boss' });
    ok(await board.append('notes/a/b', 1));
    ok(await board.set('drafts/boss/x', 1));
    ok(await board.set('state', 1));
    expect(ok(await board.claim('jobs/compile/a')).leaseMs).toBe(30_000);
    await expect(board.append('facts/a', 1)).rejects.toEqual(thrown('NO_NAMESPACE'));
  });

  it.each([
    ['an unknown key', { namespace: [] }, /namespace/],
    ['no namespace', { namespaces: [] }, /namespaces/],
    ['an unknown mode', { namespaces: [{ pattern: 'a/*', mode: 'shared' }] }, /mode/],
    ['half a star', { namespaces: [{ pattern: 'a/b*', mode: 'append' }] }, /star/],
    ['an empty segment', { namespaces: [{ pattern: 'a//*', mode: 'append' }] }, /segments/],
    ['a single writer without a name', { namespaces: [{ pattern: 'a', mode: 'single' }] }, /writer/],
    ['a writer that is no label', { namespaces: [{ pattern: 'a', mode: 'single', writer: 'a b' }] }, /label/],
    ['owners without a star', { namespaces: [{ pattern: 'a/b', mode: 'owned' }] }, /names the owner/],
    [
      'a namespace of the board',
      { namespaces: [{ pattern: 'notices/*/*', mode: 'append' }] },
      /belong to the board/,
    ],
    ['a duration of 0', { leaseMs: 0 }, /leaseMs/],
    ['a duration without end', { leaseMs: Number.POSITIVE_INFINITY }, /leaseMs/],
    ['a kind that is no pattern', { leaseMs: { 'a*': 5 } }, /pattern/],
  ])('refuse %s, naming the place', (_, input, message) => {
    expect(() => parseBoardConfig(input)).toThrow(thrown('BOARD_CONFIG', message));
  });

  it('name the file that cannot be read', () => {
    expect(() => loadBoardConfig(join(folder, 'none.yaml'))).toThrow(thrown('BOARD_CONFIG', /none\.yaml/));
    expect(() => loadBoardConfig(file('namespaces: [}'))).toThrow(thrown('BOARD_CONFIG', /board\.yaml/));
    expect(() => loadBoardConfig(file('- 1'))).toThrow(thrown('BOARD_CONFIG', /board\.yaml/));
  });

  it('a store without a facet is named when it is needed', async () => {
    const { nowMs, close } = createMemoryStore();
    const board = createBoard({ store: { nowMs, close }, leaseMs: 1 });
    await expect(board.append('facts/a', 1)).rejects.toEqual(thrown('STORE_LACKS', /entries/));
    await expect(board.since(0)).rejects.toEqual(thrown('STORE_LACKS', /feed/));
    await expect(board.claim('claims/a')).rejects.toEqual(thrown('STORE_LACKS', /work\.claim/));
  });
});
