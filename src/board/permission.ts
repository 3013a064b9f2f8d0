/** Who may write a key, and how: the first three checks of a write, in their order (spec/board.md B5.8). Pure. */
import { FencepostError } from '../errors.ts';
import type { Declared, Mode, Namespaces } from './namespaces.ts';

/** What a worker wants to do with a key. */
export type Operation = 'append' | 'set' | 'claim';

const MODES: Readonly<Record<Operation, readonly Mode[]>> = {
  append: ['append', 'owned', 'leased'],
  set: ['owned', 'leased', 'single'],
  claim: ['leased'],
};

/**
 * Key declared, permission, mode. The fence and the version come after it, in the store's transaction.
 *
 * @throws FencepostError `NO_NAMESPACE`, `PERMISSION_DENIED`, `WRONG_MODE`
 */
export function authorize(namespaces: Namespaces, operation: Operation, key: string, label: string): Mode {
  const namespace = namespaces.of(key);
  const owner = writerOf(namespace, key);
  if (owner !== undefined && owner.label !== label) {
    throw new FencepostError(
      'PERMISSION_DENIED',
      `Expected ${owner.label} to write ${key}, which is ${owner.rule} ${owner.label}, got ${label}.`,
      { definite: true },
    );
  }
  const { mode } = namespace;
  if (mode !== 'board' && MODES[operation].includes(mode)) return mode;
  const allowed = MODES[operation].join(', ');
  throw new FencepostError(
    'WRONG_MODE',
    `Expected ${operation} on a namespace of mode ${allowed}, got ${key} of mode ${mode} (${namespace.pattern.text}).`,
    { definite: true },
  );
}

function writerOf(namespace: Declared, key: string) {
  switch (namespace.mode) {
    case 'owned':
      return { label: key.split('/')[namespace.ownerAt] ?? '', rule: 'owned by' };
    case 'single':
      return { label: namespace.writer, rule: 'written only by' };
    case 'board':
      // No label has white space, so nobody carries this one.
      return { label: 'the board', rule: 'written only by' };
    default:
      return undefined;
  }
}
