/** Calls as the raw records tell them: an invoke, and what came of it. Plain objects, no builder. */
export interface RawRecord {
  readonly file: string;
  readonly record: Readonly<Record<string, unknown>>;
}

export type Fields = Readonly<Record<string, unknown>>;

export interface RawCall {
  readonly request: string;
  readonly op: string;
  readonly invoke: Fields;
  readonly inv: number;
  outcome: 'accepted' | 'refused' | 'fail' | 'info';
  ret: number;
  answer: Fields;
  /** Made by the scanner, whose reads are the final ones. */
  readonly scans: boolean;
  /** Incarnation and lane. */
  readonly client: string;
}

/** What stands in a field that should be a list of objects. */
export const list = (value: unknown): Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

/** Pairs the records. With a store inside the worker's process, nothing of it acts after the process was seen to exit. */
export function callsOf(records: Iterable<RawRecord>, embedded: boolean): RawCall[] {
  const headers = new Map<string, Fields>();
  const exits = new Map<string, number>();
  const calls = new Map<string, RawCall>();
  for (const { file, record } of records) {
    const type = record.type;
    if (type === 'header') headers.set(file, record);
    if (type === 'exit') exits.set(String(record.incarnation), Number(record.t));
    const header = headers.get(file);
    const client = `${header?.incarnation}.${record.lane}`;
    const request = `${client}.${record.call}`;
    const t = Number(record.t);
    if (type === 'invoke') {
      calls.set(request, {
        request,
        client,
        scans: header?.role === 'scanner',
        op: String(record.op),
        invoke: record,
        inv: t,
        outcome: 'info',
        ret: Number.POSITIVE_INFINITY,
        answer: {},
      });
    }
    const call = calls.get(request);
    if (!call) continue;
    if (type === 'ok') {
      call.outcome = record.accepted === true ? 'accepted' : 'refused';
      call.ret = t;
      call.answer = record;
    } else if (type === 'fail') {
      call.outcome = 'fail';
      call.ret = t;
    }
  }
  const all = [...calls.values()];
  if (!embedded) return all;
  for (const call of all) {
    const exit = exits.get(call.client.replace(/\..*$/, ''));
    if (call.outcome === 'info' && exit !== undefined) call.ret = Math.max(exit, call.inv);
  }
  return all;
}
