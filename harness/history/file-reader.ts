/**
 * Reads one history file, now or while it grows. A torn last line is dropped and reported: its invoke was never sent, or
 * its completion is unknown (R4). A bad line that was written to its end is a broken history: never skipped.
 */
import { basename } from 'node:path';
import type { HistoryBuilder } from './builder.ts';
import { checkClientRecord, checkSupervisorRecord } from './check-record.ts';
import { checkSeal } from './checksum.ts';
import { described, isObject } from './field.ts';
import { LaneClock } from './lane-clock.ts';
import { LineReader, type TakeLine } from './line-reader.ts';
import { type ClientRecord, HISTORY_FORMAT, type SupervisorRecord } from './record.ts';
import { RecordError } from './record-error.ts';

/** A line longer than this is damage, not a record (R4: records are small). */
const MAX_LINE_BYTES = 64 << 20;

type Sealed = { readonly n?: number };

export class HistoryFile {
  readonly name: string;
  readonly #lines: LineReader;
  readonly #builder: HistoryBuilder;
  #line = 0;
  readonly #lanes = new LaneClock();
  /** Lines that held a record. Blank lines, which other tools may write, hold none. */
  #records = 0;
  #incarnation: number | undefined;
  #supervisor = false;
  #dead = false;

  constructor(path: string, builder: HistoryBuilder) {
    this.name = basename(path);
    this.#builder = builder;
    this.#lines = new LineReader(path);
  }

  close(): void {
    this.#lines.close();
  }

  /** Takes whatever was added since the last call. */
  poll(): void {
    while (!this.#dead && this.#lines.read(this.#takeLine)) {
      if (this.#lines.rest > MAX_LINE_BYTES)
        this.#broken(this.#line + 1, `a line of more than ${MAX_LINE_BYTES} bytes`);
    }
  }

  /** Says that the file will not grow any more: what is left over is a torn tail. */
  finish(): void {
    this.poll();
    this.#lines.end(this.#takeCut);
    if (!this.#dead && this.#records === 0) this.#broken(0, 'empty file: expected a header record');
  }

  readonly #takeLine: TakeLine = (text, bytes, from, to) => this.#take(text, bytes, from, to, false);
  /** No line feed ended it, so that its writer may have died over it. */
  readonly #takeCut: TakeLine = (text, bytes, from, to) => this.#take(text, bytes, from, to, true);

  #take(text: string, bytes: Buffer, from: number, to: number, isCut: boolean): void {
    if (this.#dead) return;
    this.#line += 1;
    try {
      const seal = checkSeal(bytes, from, to);
      if (seal === 'none' && text.trim() === '') return;
      if (seal === 'broken') throw new RecordError('the check sum does not match');
      const record: unknown = JSON.parse(text);
      if (!isObject(record)) throw new RecordError('expected a JSON object');
      this.#record(record);
      this.#records += 1;
    } catch (error) {
      if (!(error instanceof RecordError || error instanceof SyntaxError)) throw error;
      // A line that carries its whole seal was not cut: it contradicts the records before it.
      if (isCut && checkSeal(bytes, from, to) !== 'intact') this.#torn(error.message);
      else this.#broken(this.#line, error.message);
    }
  }

  /** Numbers that do not fit say that a record is missing: one in the middle, or (case A23) the last ones. */
  #count(record: (ClientRecord | SupervisorRecord) & Sealed): void {
    if (record.n !== undefined && record.n !== this.#records) {
      throw new RecordError(`expected record number ${this.#records}, got ${record.n}`);
    }
    if (record.type === 'end' && record.records !== this.#records) {
      throw new RecordError(
        `expected ${record.records} records before the end, as it says, got ${this.#records}`,
      );
    }
  }

  #record(record: object): void {
    if (this.#records === 0) this.#first(record);
    if (this.#supervisor) {
      checkSupervisorRecord(record);
      this.#count(record);
      this.#builder.supervisor(record, this.name);
      return;
    }
    checkClientRecord(record);
    this.#count(record);
    switch (record.type) {
      case 'header':
        this.#header(record.incarnation);
        break;
      case 'invoke':
        this.#lanes.sent(record);
        break;
      case 'ok':
      case 'fail':
      case 'info':
        this.#lanes.answered(record);
    }
    this.#builder.client(record, this.name, this.#line, this.#incarnation!);
  }

  #first(record: { readonly type?: unknown; readonly format?: unknown }): void {
    const { type, format } = record;
    if (type !== 'header' && type !== 'run')
      throw new RecordError(`expected a header record first, got type ${described(type)}`);
    if (format !== HISTORY_FORMAT)
      throw new RecordError(`expected history format ${HISTORY_FORMAT}, got ${described(format)}`);
    this.#supervisor = type === 'run';
  }

  /** One file tells of one life. */
  #header(incarnation: number): void {
    if (this.#records > 0) throw new RecordError('Expected one header in a file, got a second one');
    this.#incarnation = incarnation;
  }

  #torn(message: string): void {
    this.#dead = true;
    this.#builder.problem({
      kind: 'torn-tail',
      file: this.name,
      line: this.#line,
      message: `torn last record dropped: ${message}`,
    });
  }

  #broken(line: number, message: string): void {
    this.#dead = true;
    this.#builder.problem({ kind: 'broken', file: this.name, line, message });
  }
}
