/** The published JSON Schemas (`docs/schema/`): each written from what the code itself checks by. */
import { ACCEPTED, CLIENT_RECORDS, INVOKES, REFUSED } from '../history/client-fields.ts';
import { schemaOf } from '../history/field.ts';
import type { JsonSchema } from '../history/shape.ts';
import { SUPERVISOR_RECORDS } from '../history/supervisor-fields.ts';
import { scenarioJsonSchema } from '../scenario/schema.ts';
import { RESULTS } from './results-fields.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** By file name. */
export function jsonSchemas(): Readonly<Record<string, JsonSchema>> {
  return {
    'scenario.schema.json': scenarioJsonSchema(),
    'history-record.schema.json': historyRecordSchema(),
    'results.schema.json': { $schema: DIALECT, title: 'Fencepost results.json', ...schemaOf(RESULTS) },
  };
}

/** One line of a history file, of a client or of the supervisor. */
function historyRecordSchema(): JsonSchema {
  const { invoke: _byOperation, ok: _byOutcome, ...others } = CLIENT_RECORDS;
  const shapes = [
    ...Object.values(INVOKES),
    ACCEPTED,
    REFUSED,
    ...Object.values(others),
    ...Object.values(SUPERVISOR_RECORDS),
  ];
  return { $schema: DIALECT, title: 'Fencepost history record', anyOf: shapes.map(schemaOf) };
}
