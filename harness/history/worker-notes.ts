/** What workers wrote of orders that they carried out on themselves, and of their wall clocks. */
import type { CutNote, OrderNote, WallReading } from './history.ts';
import type { NoteRecord } from './record.ts';
import { RecordError } from './record-error.ts';

const STAGES: readonly unknown[] = ['begin', 'end'];
const BOUNDARIES: readonly unknown[] = ['before-send', 'in-transaction', 'after-send', 'after-reply'];
const CUTS: readonly unknown[] = ['kill', 'stop'];

export class WorkerNotes {
  readonly orders: OrderNote[] = [];
  readonly cuts: CutNote[] = [];
  readonly wall: WallReading[] = [];

  /** Takes one record. Throws `RecordError` for one that cannot be. */
  take(record: NoteRecord, incarnation: number): void {
    switch (record.type) {
      case 'order':
        checkFault(record);
        expectOne('stage', record.stage, STAGES);
        this.orders.push({
          id: record.id,
          fault: record.fault,
          stage: record.stage,
          at: record.t,
          incarnation,
          calls: record.calls,
        });
        return;
      case 'at':
        checkFault(record);
        expectOne('boundary', record.boundary, BOUNDARIES);
        expectOne('cut', record.cut, CUTS);
        this.cuts.push({
          id: record.id,
          fault: record.fault,
          at: record.t,
          incarnation,
          boundary: record.boundary,
          cut: record.cut,
          op: record.op,
          lane: record.lane,
          call: record.call,
        });
        return;
      case 'wall':
        if (!Number.isFinite(record.wallMs))
          throw new RecordError(`Expected \`wallMs\` to be a number, got ${JSON.stringify(record.wallMs)}`);
        this.wall.push({ incarnation, at: record.t, wallMs: record.wallMs });
    }
  }
}

function checkFault({ id, fault }: { readonly id: number; readonly fault: string }): void {
  if (!Number.isInteger(id) || typeof fault !== 'string')
    throw new RecordError(
      `Expected \`id\` and \`fault\` to name a fault, got ${JSON.stringify(id)} and ${JSON.stringify(fault)}`,
    );
}

function expectOne(name: string, value: unknown, known: readonly unknown[]): void {
  if (!known.includes(value))
    throw new RecordError(`Expected \`${name}\` to be ${known.join(' or ')}, got ${JSON.stringify(value)}`);
}
