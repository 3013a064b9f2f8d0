/** Namespaces: which keys there are, how each is written and by whom (spec/board.md B2). Pure. */
import { FencepostError } from '../errors.ts';
import { matches, type Pattern, parsePattern } from './pattern.ts';

/**
 * One declared namespace.
 *
 * | mode | written by | how |
 * | --- | --- | --- |
 * | `append` | anyone | `append`; nothing is ever overwritten |
 * | `owned` | the worker that the first star of the pattern names | `set`, `append` |
 * | `leased` | the holder of the live lease on the key | `set`, `append`, `complete` |
 * | `single` | the one `writer` | `set`, with the version it saw |
 */
export type Namespace =
  | { readonly pattern: string; readonly mode: 'append' }
  | { readonly pattern: string; readonly mode: 'owned' }
  | { readonly pattern: string; readonly mode: 'leased' }
  | { readonly pattern: string; readonly mode: 'single'; readonly writer: string };

/** How a namespace is written. */
export type Mode = Namespace['mode'];

/** Who is asked when workers cannot agree, unless a board says otherwise. */
export const ORCHESTRATOR = 'orchestrator';

/** The four namespaces of a board that was given none. */
export const DEFAULT_NAMESPACES: readonly Namespace[] = [
  { pattern: 'facts/*', mode: 'append' },
  { pattern: 'claims/*', mode: 'leased' },
  { pattern: 'results/*/*', mode: 'owned' },
  { pattern: 'plan/*', mode: 'single', writer: ORCHESTRATOR },
];

/**
 * What the board itself writes. Workers read it and never write it.
 *
 * - `notices/TO/KIND`: events addressed to somebody; appended.
 * - `reads/WORKER`: how often a worker read what others wrote; only where the board was asked to record that.
 */
export const RESERVED = ['notices/*/*', 'reads/*'] as const;

/** A namespace with its pattern read. */
export type Declared =
  | { readonly pattern: Pattern; readonly mode: 'append' | 'leased' | 'board' }
  | { readonly pattern: Pattern; readonly mode: 'owned'; readonly ownerAt: number }
  | { readonly pattern: Pattern; readonly mode: 'single'; readonly writer: string };

/** Finds the namespace of a key. */
export interface Namespaces {
  find(key: string): Declared | undefined;
  /** @throws FencepostError `NO_NAMESPACE` */
  of(key: string): Declared;
  /** Whether every entry of the key counts, not only the newest. */
  keepsAll(key: string): boolean;
}

/** Reads declarations; the first that matches a key wins. */
export function readNamespaces(declared: readonly Namespace[]): Namespaces {
  const all: readonly Declared[] = [
    ...RESERVED.map((text) => ({ pattern: parsePattern('pattern', text), mode: 'board' as const })),
    ...declared.map(readNamespace),
  ];
  const find = (key: string) => all.find(({ pattern }) => matches(pattern, key));
  const notices = all[0]?.pattern;
  return {
    find,
    of(key) {
      const found = typeof key === 'string' ? find(key) : undefined;
      if (found !== undefined) return found;
      const list = declared.map(({ pattern, mode }) => `${pattern} (${mode})`).join(', ');
      throw new FencepostError(
        'NO_NAMESPACE',
        `Expected a key of a declared namespace, got ${JSON.stringify(key)}, which matches no declared namespace: ${list}.`,
        { definite: true },
      );
    },
    keepsAll: (key) => find(key)?.mode === 'append' || (notices !== undefined && matches(notices, key)),
  };
}

function readNamespace(namespace: Namespace): Declared {
  const pattern = parsePattern('pattern', namespace.pattern);
  switch (namespace.mode) {
    case 'owned':
      return { pattern, mode: 'owned', ownerAt: pattern.segments.indexOf('*') };
    case 'single':
      return { pattern, mode: 'single', writer: namespace.writer };
    default:
      return { pattern, mode: namespace.mode };
  }
}
