/**
 * Reads one history file, now or while it grows. A torn last line is dropped and reported: its invoke was never sent, or
 * its completion is unknown (R4). A bad line that was written to its end is a broken history: never skipped.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import type { HistoryBuilder } from './builder.ts';
import { checkClientRecord, checkSupervisorRecord } from './check-record.ts';
import { checkSeal } from './checksum.ts';
import { described, isObject } from './field.ts';
import { LaneClock } from './lane-clock.ts';
import { type ClientRecord, HISTORY_FORMAT, type SupervisorRecord } from './record.ts';
import { RecordError } from './record-error.ts';

const CHUNK_BYTES = 1 << 20;
/** A line longer than this is damage, not a record (R4: records are small). */
const MAX_LINE_BYTES = 64 << 20;

type Sealed = { readonly n?: number };

export class HistoryFile {
  readonly name: string;
  readonly #fd: number;
  readonly #builder: HistoryBuilder;
  #offset = 0;
  /** Bytes read that no line feed ended yet. */
  #rest: Buffer = Buffer.alloc(0);
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
    this.#fd = openSync(path, 'r');
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** Takes whatever was added since the last call. */
  poll(): void {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const bytes = readSync(this.#fd, chunk, 0, CHUNK_BYTES, this.#offset);
      if (bytes === 0) return;
      this.#offset += bytes;
      this.#take(chunk.subarray(0, bytes));
    }
  }

  /** Says that the file will not grow any more: what is left over is a torn tail. */
  finish(): void {
    this.poll();
    if (this.#dead) return;
    if (this.#rest.length > 0) this.#takeLine(this.#rest, true);
    this.#rest = Buffer.alloc(0);
    if (this.#dead) return;
    if (this.#records === 0) this.#broken(0, 'empty file: expected a header record');
  }

  #take(chunk: Buffer): void {
    const data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let from = 0;
    for (let end = data.indexOf(10, from); end >= 0 && !this.#dead; end = data.indexOf(10, from)) {
      this.#takeLine(data.subarray(from, end));
      from = end + 1;
    }
    this.#rest = data.subarray(from);
    if (this.#rest.length > MAX_LINE_BYTES)
      this.#broken(this.#line + 1, `a line of more than ${MAX_LINE_BYTES} bytes`);
  }

  /** `isCut`: no line feed ended it, so that its writer may have died over it. */
  #takeLine(line: Buffer, isCut = false): void {
    this.#line += 1;
    const text = line.toString('utf8');
    if (text.trim() === '') return;
    try {
      if (checkSeal(line) === 'broken') throw new RecordError('the check sum does not match');
      const record: unknown = JSON.parse(text);
      if (!isObject(record)) throw new RecordError('expected a JSON object');
      this.#record(record);
      this.#records += 1;
    } catch (error) {
      if (!(error instanceof RecordError || error instanceof SyntaxError)) throw error;
      // A line that carries its whole seal was not cut: it contradicts the records before it.
      if (isCut && checkSeal(line) !== 'intact') this.#torn(error.message);
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
