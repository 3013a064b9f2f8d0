/**
 * Whether time runs forwards in each lane of one file. A lane is one sequential client on the monotonic clock of one host: an
 * answer comes before the next call is sent. Lines may stand in another order, since only an invoke must be written at once.
 */
import type { ErrorRecord, InvokeRecord, OkRecord } from './record.ts';
import { RecordError } from './record-error.ts';

interface Lane {
  /** The call sent last, and when. */
  call: number;
  sentAt: number;
  /** The latest time that the lane has shown. */
  at: number;
}

export class LaneClock {
  readonly #lanes = new Map<number, Lane>();

  /** @throws a RecordError when the lane has shown a later time before. */
  sent({ lane: number, call, t }: InvokeRecord): void {
    const lane = this.#lanes.get(number);
    if (!lane) {
      this.#lanes.set(number, { call, sentAt: t, at: t });
      return;
    }
    if (t < lane.at)
      throw new RecordError(
        `Time runs backwards in lane ${number}: call ${call} was sent at ${t}, and the record before it is of ${lane.at}`,
      );
    lane.call = call;
    lane.sentAt = t;
    lane.at = t;
  }

  /** @throws a RecordError when the lane had sent a later call by then. */
  answered({ lane: number, call, t }: OkRecord | ErrorRecord): void {
    const lane = this.#lanes.get(number);
    if (!lane) return;
    if (call !== lane.call && t > lane.sentAt)
      throw new RecordError(
        `Call ${number}.${call} was answered at ${t}, after its lane had sent call ${lane.call} at ${lane.sentAt}: a lane sends one call at a time`,
      );
    if (t > lane.at) lane.at = t;
  }
}
