/** A copy of one folder of the harness with one expression replaced: the harness itself broken on purpose. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

export interface Break {
  /** Folder of `harness/`. */
  readonly folder: string;
  readonly file: string;
  /** Stands in the file once. */
  readonly from: string;
  readonly to: string;
}

/** Makes copies, and takes them away again. The runner compiles them wherever they lie. */
export function brokenCopies() {
  const copies = mkdtempSync(join(tmpdir(), 'fencepost-broken-'));
  let count = 0;
  return {
    /** A module of the copied folder, by default the broken one. */
    async load<T>({ folder, file, from, to }: Break, module = file): Promise<T> {
      count += 1;
      const copy = join(copies, String(count));
      cpSync(join(ROOT, 'harness', folder), copy, { recursive: true });
      for (const name of readdirSync(copy)) {
        const path = join(copy, name);
        let source = readFileSync(path, 'utf8')
          .replaceAll("from '../../src/", `from '${ROOT}/src/`)
          .replaceAll(/from '\.\.\/(?!\.)/g, `from '${ROOT}/harness/`);
        if (name === file) {
          if (source.split(from).length !== 2) throw new Error(`Expected ${file} to hold \`${from}\` once`);
          source = source.replace(from, to);
        }
        writeFileSync(path, source);
      }
      return (await import(/* @vite-ignore */ join(copy, module))) as T;
    },
    remove: () => rmSync(copies, { recursive: true, force: true }),
  };
}
