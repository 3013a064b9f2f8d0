/** A parsed scenario file that still knows the place of everything in it. */
import { type Document, isMap, isNode, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import type { Override } from './set.ts';
import { describeValue, type Place, type UsageCode, UsageError, type UsageProblem } from './usage-error.ts';

/** The data of a document, with places and the written form of values. */
export interface SourceDocument {
  readonly data: unknown;
  /** Where the value of a path stands, or its nearest ancestor. */
  placeOf(path: readonly PropertyKey[]): Place;
  /** Where the value of exactly this path was set, by the file or by a flag; undefined where it was not. */
  placeIfSet(path: readonly string[]): Place | undefined;
  /** The value of a path. */
  valueAt(path: readonly PropertyKey[]): unknown;
  /** Where the key itself stands. */
  placeOfKey(path: readonly PropertyKey[], key: string): Place;
  /** The value as written: `"30 sec." (string)`, `1e400 (number)`. */
  written(path: readonly PropertyKey[]): string;
}

/**
 * Parses YAML and puts the overrides over it.
 * @throws {@link UsageError} `SCENARIO_SYNTAX`, `SCENARIO_DUPLICATE_KEY`, `SCENARIO_EMPTY`.
 */
export function parseSource(text: string, file: string, overrides: readonly Override[]): SourceDocument {
  const lines = new LineCounter();
  const document = parse(text, file, lines);
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) {
    const hint = 'Every key has a default; the smallest scenario is one line: `name: my-run`.';
    throw new UsageError({
      code: 'SCENARIO_EMPTY',
      message: 'The scenario file is empty.',
      hint,
      place: { file },
    });
  }
  if (!isMap(document.contents)) {
    const got = isScalar(document.contents) ? describeValue(document.contents.value) : 'a list';
    const message = `Expected a map of keys such as \`workers: 4\` at the top level, got ${got}.`;
    throw new UsageError({ code: 'SCENARIO_SYNTAX', message, place: { file, line: 1, column: 1 } });
  }
  for (const override of overrides) apply(document, override);
  const at = (offset: number | undefined): Place => {
    if (offset === undefined) return { file };
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  const flagOf = (path: readonly PropertyKey[]) =>
    overrides.findLast((one) => startsWith(path, one.path))?.flag;
  const place = (path: readonly PropertyKey[], node: Node | undefined): Place => {
    const dotted = path.map(String).join('.');
    const flag = flagOf(path);
    return flag === undefined ? { ...at(node?.range?.[0]), path: dotted } : { flag, path: dotted };
  };
  return {
    data: toData(document, file),
    placeOf: (path) => place(path, nodeAt(document, path)),
    placeIfSet: (path) => {
      const node = document.getIn(path, true);
      if (node === undefined && flagOf(path) === undefined) return undefined;
      return place(path, isNode(node) ? node : undefined);
    },
    valueAt: (path) => {
      const node = document.getIn(path.map(String), true);
      return isScalar(node) ? node.value : undefined;
    },
    placeOfKey: (path, key) => {
      const full = [...path, key].map(String);
      const node = keyNode(document, path, key);
      // A key that is not in the file was made by a flag, which may have set something below it.
      const below = overrides.findLast((one) => startsWith(one.path, full));
      return node?.range || below === undefined
        ? place(full, node)
        : { flag: below.flag, path: full.join('.') };
    },
    written: (path) => describeNode(document.getIn(path.map(String), true)),
  };
}

function parse(text: string, file: string, lines: LineCounter): Document {
  let document: Document;
  try {
    document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' });
  } catch (cause) {
    // The parser recurses; a file that nests thousands of brackets runs out of stack.
    const message = 'Expected YAML, and this cannot be parsed: it nests too deeply.';
    throw new UsageError({ code: 'SCENARIO_SYNTAX', message, place: { file } }, { cause });
  }
  const [first, ...rest] = [...document.errors, ...document.warnings].map((error): UsageProblem => {
    const { line, col } = lines.linePos(error.pos[0]);
    const duplicate = error.code === 'DUPLICATE_KEY';
    const code: UsageCode = duplicate ? 'SCENARIO_DUPLICATE_KEY' : 'SCENARIO_SYNTAX';
    const key = /^[^\s:]+/.exec(text.slice(error.pos[0], error.pos[0] + 80))?.[0] ?? '';
    const message = duplicate
      ? `The key \`${key}\` stands twice in the same map. Expected each key once; take one of them out.`
      : `Expected YAML: ${error.message}.`.replace(/\.\.$/, '.');
    return { code, message, place: { file, line, column: col } };
  });
  if (first !== undefined) throw new UsageError([first, ...rest.slice(0, 4)]);
  return document;
}

function toData(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    const message = `Expected YAML without runaway aliases: ${cause instanceof Error ? cause.message : String(cause)}.`;
    throw new UsageError({ code: 'SCENARIO_SYNTAX', message, place: { file } }, { cause });
  }
}

function apply(document: Document, { path, value, flag }: Override): void {
  for (let depth = 1; depth < path.length; depth++) {
    const parent = document.getIn(path.slice(0, depth), true);
    if (parent === undefined || isMap(parent) || (isScalar(parent) && parent.value === null)) continue;
    const name = path.slice(0, depth).join('.');
    const message = `Expected \`${name}\` to be a group of keys, and the scenario has ${describeNode(parent)} there.`;
    const hint = `\`${name}\` is set as a whole: ${wholeOf(name, path.slice(depth), value)}.`;
    throw new UsageError({ code: 'SCENARIO_INVALID_VALUE', message, hint, place: { flag, path: name } });
  }
  for (let depth = 1; depth < path.length; depth++) {
    // An empty `phases:` is null in YAML; a value below it makes it a map.
    if (!isMap(document.getIn(path.slice(0, depth), true)))
      document.setIn(path.slice(0, depth), document.createNode({}));
  }
  document.setIn(path, document.createNode(value));
}

/** `--set 'faults={kill: 3}'` where a group can stand there, else the form of a plain value. */
function wholeOf(name: string, rest: readonly string[], value: unknown): string {
  const text = rest.reduceRight((inner, key) => `{${key}: ${inner}}`, JSON.stringify(value) ?? 'null');
  return `\`--set '${name}=${text}'\`, if it takes a group of keys, or \`--set ${name}=VALUE\``;
}

function nodeAt(document: Document, path: readonly PropertyKey[]): Node | undefined {
  for (let length = path.length; length >= 0; length--) {
    const node = document.getIn(path.slice(0, length).map(String), true);
    if (isNode(node) && node.range) return node;
  }
  return undefined;
}

function keyNode(document: Document, path: readonly PropertyKey[], key: string): Node | undefined {
  const map = document.getIn(path.map(String), true);
  if (!isMap(map)) return undefined;
  const pair = map.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
  return isNode(pair?.key) ? pair.key : undefined;
}

function describeNode(node: unknown): string {
  if (isScalar(node) && typeof node.value === 'number' && node.source !== undefined)
    return `${node.source} (number)`;
  if (isScalar(node)) return describeValue(node.value);
  if (isMap(node)) return 'a group of keys';
  return node === undefined ? 'nothing' : 'a list';
}

function startsWith(path: readonly PropertyKey[], prefix: readonly string[]): boolean {
  return prefix.length <= path.length && prefix.every((step, index) => String(path[index]) === step);
}
