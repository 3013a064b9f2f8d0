/** What workers wrote of orders that they carried out on themselves, and of their wall clocks. */
import type { CutNote, OrderNote, WallReading } from './history.ts';
import type { NoteRecord } from './record.ts';

export class WorkerNotes {
  readonly orders: OrderNote[] = [];
  readonly cuts: CutNote[] = [];
  readonly wall: WallReading[] = [];

  take(record: NoteRecord, incarnation: number): void {
    switch (record.type) {
      case 'order':
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
        this.wall.push({ incarnation, at: record.t, wallMs: record.wallMs });
    }
  }
}
