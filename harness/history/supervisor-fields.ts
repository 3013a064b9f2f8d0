/** The fields of every record of the supervisor's file. Source of the reader's checks and of the JSON Schema. */
import { incarnation } from './client-fields.ts';
import {
  anything,
  type FieldsOf,
  flag,
  listOf,
  listOfValues,
  nanoseconds,
  number,
  oneOf,
  optional,
  orNull,
  shape,
  text,
  whole,
} from './field.ts';
import { HISTORY_FORMAT, type ManifestFile, OPERATIONS, PHASES, type SupervisorRecord } from './record.ts';
import type { Shape } from './shape.ts';

type Type = SupervisorRecord['type'];
type Of<T extends Type> = Extract<SupervisorRecord, { type: T }>;
type Seal = { readonly n?: number; readonly c?: string };

function record<T extends Type>(type: T, fields: Omit<FieldsOf<Of<T>>, 'type' | 't'>): Shape {
  const all = { type: oneOf(type), t: nanoseconds, ...fields, n: optional(whole()), c: optional(text) };
  return shape<Of<T> & Seal>(all as unknown as FieldsOf<Of<T> & Seal>);
}

const role = oneOf('worker', 'scanner');
const signal = { incarnation, signal: text };

export const SUPERVISOR_RECORDS: Readonly<Record<Type, Shape>> = {
  run: record('run', {
    format: oneOf(HISTORY_FORMAT),
    run: text,
    wallMs: number,
    seed: number,
    scenario: anything,
    declares: anything,
    methods: listOfValues(oneOf(...OPERATIONS)),
  }),
  phase: record('phase', { phase: oneOf(...PHASES) }),
  spawn: record('spawn', {
    incarnation,
    label: text,
    role,
    pid: whole(),
    file: text,
    replaces: optional(incarnation),
    why: optional(oneOf('start', 'respawn', 'twin')),
  }),
  ready: record('ready', { incarnation }),
  signal: record('signal', signal),
  sent: record('sent', signal),
  state: record('state', { incarnation, state: oneOf('stopped', 'running') }),
  exit: record('exit', { incarnation, code: orNull(number), signal: orNull(text) }),
  fault: record('fault', {
    id: whole(),
    fault: text,
    stage: oneOf('intent', 'act', 'confirm', 'heal', 'healed'),
    incarnation: optional(incarnation),
    label: optional(text),
    outcome: optional(oneOf('confirmed', 'missed', 'failed')),
    detail: optional(text),
  }),
  hold: record('hold', { id: whole(), fault: text, held: flag }),
  clock: record('clock', { bootMs: number, wallMs: number }),
  note: record('note', { text }),
  manifest: record('manifest', {
    files: listOf(
      shape<ManifestFile>({ file: text, incarnation, bytes: whole(), records: optional(whole()) }),
    ),
    interrupted: optional(flag),
  }),
};
