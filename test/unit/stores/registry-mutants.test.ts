/** The registry tells what lies in the folder of mutants, and nothing that is not true. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../../harness/scenario/load.ts';
import { MUTANTS, mutantUrl } from '../../../scenarios/mutants/registry.ts';
import type { StoreModule } from '../../../src/store.ts';

const scenarios = fileURLToPath(new URL('../../../scenarios/', import.meta.url));

/** Every store mutant of the catalogue that the facets of today allow. The others belong to jobs and delivery. */
const CATALOGUE =
  'M01 M02 M03 M05 M06 M07 M08 M09 M10 M11 M12 M13 M14 M15 M16 M17 M18 M19 M20 M22 M23 M24 M25 M26 M27 M28 M29 M30 M31 M32 M33 M34 M35 M37 M38 M39 M40 M41 M43 M45 M46 M47 M53 M54 M55 M56 M57 M61 M62 M63 M64 M65 M66';

describe('the registry', () => {
  it('holds the whole catalogue, by id', () => {
    expect(MUTANTS.map(({ id }) => id).join(' ')).toBe(CATALOGUE);
  });

  it('names every module of the folder and no other', () => {
    const modules = readdirSync(`${scenarios}mutants`).filter((name) => /^m\d+.*\.ts$/.test(name));
    expect(MUTANTS.map((mutant) => `${mutant.module}.ts`)).toEqual(modules.sort());
  });

  it.each(MUTANTS)('$id: its id, its scenario and its module fit', async (mutant) => {
    expect(mutant.module.slice(0, 3).toUpperCase()).toBe(mutant.id);
    expect(mutant.breaks.length).toBeGreaterThan(0);
    expect(mutant.needs).toMatch(/[.)]$/);
    expect(() => loadScenario(`${scenarios}${mutant.scenario ?? 'kill-mid-lease'}.yaml`)).not.toThrow();
    const module: StoreModule & { decorate?: unknown } = await import(mutantUrl(mutant));
    expect(module.default).toBeTypeOf('function');
    expect(module.destroy).toBeTypeOf('function');
    expect(module.declares).toMatchObject({
      fencing: 'lock',
      lateCalls: 'refused',
      clock: 'store-monotonic',
    });
    // Decorators can stand around any store, and those that `--power` uses must.
    if (mutant.kind === 'decorator' || mutant.power !== undefined)
      expect(module.decorate).toBeTypeOf('function');
  });

  it('only a documented limit declares what a fault of ours cannot test', async () => {
    const limits = MUTANTS.filter(({ limit }) => limit !== undefined);
    expect(limits.map(({ id }) => id)).toEqual(['M25']);
  });
});
