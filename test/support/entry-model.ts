/** The lease model with entries and a feed: lists, plain rules, no engine, nothing of `src/entries`. */
import { fenceLive } from '../../src/lease/fence.ts';
import type { Entry, Event, Write } from '../../src/store.ts';
import { LeaseModel } from './lease-model.ts';

export class EntryModel extends LeaseModel {
  /** Every version of a key that was ever written, and from which one on they are kept. */
  readonly keys = new Map<string, { versions: Entry[]; keptFrom: number }>();
  /** Ids up to this one are gone. */
  trimmed = 0;

  get(key: string): Entry | undefined {
    const newest = this.keys.get(key)?.versions.at(-1);
    return newest?.deleted === true ? undefined : newest;
  }

  commit(writes: readonly Write[], require: readonly { key: string; version: number }[]): unknown {
    for (const { fence, author } of writes) {
      if (fence === undefined) continue;
      const row = this.rows.get(fence.key);
      if (row === undefined) return 'unknown-item';
      const refusal = fenceLive(row, fence, this.nowMs);
      if (refusal !== undefined) return refusal.code;
      if (author !== fence.owner) return 'stale';
    }
    const currentOf = (key: string) => this.get(key)?.version ?? 0;
    if (require.some(({ key, version }) => currentOf(key) !== version)) return 'conflict';
    const before = new Map(
      [...this.keys].map(([key, kept]) => [key, { ...kept, versions: [...kept.versions] }]),
    );
    const entries: Entry[] = [];
    const events: string[] = [];
    for (const write of writes) {
      const { key, op, author, request, ifVersion, fence } = write;
      if (ifVersion !== undefined && currentOf(key) !== ifVersion) {
        this.keys.clear();
        for (const [name, kept] of before) this.keys.set(name, kept);
        return 'conflict';
      }
      const kept = this.keys.get(key) ?? { versions: [], keptFrom: 1 };
      const generation = fence?.token === undefined ? write.generation : BigInt(fence.token);
      const version = kept.versions.length + 1;
      const entry: Entry = {
        key,
        version,
        value: op === 'delete' ? null : (write.value ?? null),
        author,
        ...(generation === undefined ? {} : { generation }),
        createdAtMs: this.nowMs,
        request,
        ...(op === 'delete' ? { deleted: true } : {}),
      };
      kept.versions.push(entry);
      if (write.keep === 'latest') kept.keptFrom = version;
      this.keys.set(key, kept);
      entries.push(entry);
      const kind = { append: 'appended', set: 'set', delete: 'deleted' }[op];
      events.push(`${kind} ${key} ${generation ?? '-'} v${version}`);
    }
    this.events.push(...events);
    return entries;
  }

  history(key: string, before: number, limit: number): readonly Entry[] {
    const { versions, keptFrom } = this.keys.get(key) ?? { versions: [], keptFrom: 1 };
    const kept = versions.filter(({ version }) => version >= keptFrom && version < before);
    return kept.reverse().slice(0, limit);
  }

  list(prefix: string, after: string | undefined, limit: number): readonly Entry[] {
    const bytes = (key: string) => Buffer.from(key);
    const keys = [...this.keys.keys()]
      .filter((key) => key.startsWith(prefix))
      .filter((key) => after === undefined || Buffer.compare(bytes(key), bytes(after)) > 0)
      .sort((x, y) => Buffer.compare(bytes(x), bytes(y)));
    return keys.flatMap((key) => this.get(key) ?? []).slice(0, limit);
  }

  /** The page with its events as texts. */
  since(cursor: number, limit: number): unknown {
    const last = this.events.length;
    const first = Math.max(cursor, this.trimmed) + 1;
    const ids = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i).slice(0, limit);
    const gap = cursor < this.trimmed;
    return {
      events: ids.map((id) => `${id} ${this.events[id - 1]}`),
      cursor: ids.at(-1) ?? Math.max(cursor, this.trimmed),
      ...(this.trimmed < last ? { oldestId: this.trimmed + 1 } : {}),
      ...(gap ? { gap } : {}),
    };
  }

  trim(beforeId: number): void {
    this.trimmed = Math.max(this.trimmed, Math.min(beforeId - 1, this.events.length));
  }
}

/** An event of a store in the form of the model. */
export function textOf({ id, kind, key, generation, version }: Event): string {
  const text = `${id} ${kind} ${key} ${generation ?? '-'}`;
  return version === undefined ? text : `${text} v${version}`;
}
