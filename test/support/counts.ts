/** Counts over raw history records, for comparing with what a store counted itself. Shares nothing with the builder. */
import { historyFiles } from '../../harness/history/directory-reader.ts';
import { rawRecords } from '../../harness/history/raw-records.ts';

export interface Count {
  /** Accepted for certain. */
  ok: number;
  /** Calls whose outcome nobody knows: each may have acted. */
  unknown: number;
}

/** Accepted and unknown calls by operation; a `claimNext` counts once for each lease, when unknown for as many as it asked. */
export function countCalls(history: string): Record<string, Count> {
  const counts: Record<string, Count> = {};
  const open = new Map<string, { op: string; size: number }>();
  const count = (op: string): Count => {
    counts[op] ??= { ok: 0, unknown: 0 };
    return counts[op];
  };
  for (const { file, record } of rawRecords(historyFiles(history))) {
    const id = `${file} ${String(record.lane)} ${String(record.call)}`;
    if (record.type === 'invoke') {
      open.set(id, { op: String(record.op), size: Number(record.limit ?? 1) });
    } else if (record.type === 'ok' || record.type === 'fail') {
      const { op } = open.get(id)!;
      open.delete(id);
      const leases = record.leases as unknown[] | undefined;
      if (record.type === 'ok' && record.accepted === true) count(op).ok += leases?.length ?? 1;
    }
  }
  for (const { op, size } of open.values()) count(op).unknown += size;
  return counts;
}
