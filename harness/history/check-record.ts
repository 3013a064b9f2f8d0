/** Whether a record holds what its type says it does. On the hot path of reading: a few comparisons a field. */
import { ACCEPTED, CLIENT_RECORDS, INVOKES, REFUSED } from './client-fields.ts';
import { checkShape, described } from './field.ts';
import type { ClientRecord, SupervisorRecord } from './record.ts';
import { RecordError } from './record-error.ts';
import type { Shape } from './shape.ts';
import { SUPERVISOR_RECORDS } from './supervisor-fields.ts';

type Loose = { readonly type?: unknown; readonly op?: unknown; readonly accepted?: unknown };

/**
 * Checks a record of a client's file.
 * @throws a RecordError with the field, what was expected and what was got.
 */
export function checkClientRecord(record: object): asserts record is ClientRecord {
  const { type, op, accepted } = record as Loose;
  if (type === 'invoke') return checkShape(of(INVOKES, op) ?? CLIENT_RECORDS.invoke, record);
  if (type === 'ok') {
    if (accepted === true) return checkShape(ACCEPTED, record);
    return checkShape(accepted === false ? REFUSED : CLIENT_RECORDS.ok, record);
  }
  checkShape(of(CLIENT_RECORDS, type) ?? unknownType(type), record);
}

/**
 * Checks a record of the supervisor's file.
 * @throws a RecordError with the field, what was expected and what was got.
 */
export function checkSupervisorRecord(record: object): asserts record is SupervisorRecord {
  const { type } = record as Loose;
  checkShape(of(SUPERVISOR_RECORDS, type) ?? unknownType(type), record);
}

const of = (shapes: Readonly<Record<string, Shape>>, name: unknown): Shape | undefined =>
  typeof name === 'string' && Object.hasOwn(shapes, name) ? shapes[name] : undefined;

function unknownType(type: unknown): never {
  throw new RecordError(`Expected \`type\` to be one of the record types, got ${described(type)}`);
}
