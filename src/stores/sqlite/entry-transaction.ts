/** What the entry facet adds to a write transaction. */
import type { EntryTransaction } from '../../entries/backend.ts';
import type { EntryQueries } from './entry-queries.ts';
import type { EntryStatements } from './entry-statements.ts';
import { mustChangeOne } from './must-change.ts';
import type { Statements } from './statements.ts';

export function entryTransactionOf(
  queries: EntryQueries,
  statements: EntryStatements,
  event: Statements['event'],
): Pick<EntryTransaction, 'head' | 'put' | 'entryEvent'> {
  return {
    head: queries.head,
    put(row, keep) {
      mustChangeOne(statements.head(row.key, row.version, row.value !== null), `the key ${row.key}`);
      mustChangeOne(statements.add(row), `version ${row.version} of ${row.key}`);
      if (keep === 'latest' && row.version > 1) statements.dropBelow(row.key, row.version);
    },
    entryEvent(kind, { key, author, version, generation, createdAtMs }) {
      event(createdAtMs, kind, key, author, version, generation);
    },
  };
}
