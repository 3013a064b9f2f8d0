/** S20 and S22 counted again: every page against every event, over the raw records. */
import { type Fields, list, type RawCall } from './raw-calls.ts';

interface Page {
  readonly call: RawCall;
  readonly from: number;
  readonly to: number;
  readonly gap: boolean;
  readonly events: readonly Fields[];
}

/** Keys whose events carry an id that is no id, or that another event carried too. */
export function brokenIds(calls: readonly RawCall[]): Set<string> {
  const broken = new Set<string>();
  const byId = new Map<number, Fields>();
  for (const event of pagesOf(calls).flatMap(({ events }) => events)) {
    const id = Number(event.id);
    const first = byId.get(id) ?? event;
    byId.set(id, first);
    if (!Number.isSafeInteger(id) || id <= 0) broken.add(String(event.key));
    if (fingerprint(first) !== fingerprint(event)) broken.add(String(first.key)).add(String(event.key));
  }
  return broken;
}

const fingerprint = ({ kind, key, version, generation }: Fields): string =>
  [kind, key, version, generation].map(String).join('\n');

/** Whether S22 is broken at a key; the empty key stands for pages that name none. */
export function brokenFeed(calls: readonly RawCall[], key: string): boolean {
  const pages = pagesOf(calls);
  const finals = pages.filter(({ call }) => call.scans);
  return (
    pages.some((page) => unordered(page, key)) || skips(pages, finals, key) || badWrites(calls, finals, key)
  );
}

/** Ids that do not rise, or a cursor before the end of the page. */
function unordered({ from, to, events }: Page, key: string): boolean {
  const ids = [from, ...events.map(({ id }) => Number(id))];
  if (events.some((event, i) => event.key === key && ids[i + 1]! <= Math.max(...ids.slice(0, i + 1))))
    return true;
  return to < Math.max(...ids) && key === (events.at(-1)?.key ?? '');
}

/** An event of the key that a page passed over, and that was not gone. */
function skips(pages: readonly Page[], finals: readonly Page[], key: string): boolean {
  const own = (some: readonly Page[]): number[] =>
    some.flatMap(({ events }) => events.filter((event) => event.key === key).map(({ id }) => Number(id)));
  const all = [...new Set(own(pages))];
  const kept = [...new Set(own(finals))];
  return pages.some(({ from, to, gap, events }) => {
    const passed = (gap ? kept : all).filter((id) => id > from && id <= to);
    return passed.some((id) => !events.some((event) => Number(event.id) === id));
  });
}

function pagesOf(calls: readonly RawCall[]): Page[] {
  return calls
    .filter((call) => call.op === 'since' && call.outcome === 'accepted')
    .map((call) => {
      const from = Number(call.invoke.cursor ?? 0);
      const to = Number(call.answer.cursor ?? from);
      return { call, from, to, gap: call.answer.gap === true, events: list(call.answer.events) };
    });
}

interface Written {
  readonly call: RawCall;
  readonly key: string;
  readonly version: number;
  readonly id: number | undefined;
}

/** A write of the key whose event is missing, there twice, or out of order. */
function badWrites(calls: readonly RawCall[], finals: readonly Page[], key: string): boolean {
  const events = finals.flatMap((page) => page.events);
  const ids = new Map<string, number>();
  for (const event of events) {
    if (event.version === undefined) continue;
    const name = `${event.version} ${event.key}`;
    const id = Number(event.id);
    if (event.key === key && (ids.get(name) ?? id) !== id) return true;
    if (!ids.has(name)) ids.set(name, id);
  }
  const written = calls
    .filter((call) => call.op === 'commit' && call.outcome === 'accepted')
    .flatMap((call) => writtenBy(call, ids));
  const own = written.filter((one) => one.key === key);
  const unnamed = events.some((event) => event.key === key && event.version === undefined);
  if (isWhole(calls, finals) && ids.size > 0 && !unnamed) {
    const start = Math.min(...calls.filter(({ op, scans }) => op === 'since' && scans).map(({ inv }) => inv));
    if (own.some(({ call, id }) => id === undefined && call.ret < start)) return true;
  }
  return own.some((second) =>
    written.some((first) => {
      if (first.id === undefined || second.id === undefined) return false;
      const before =
        first.call.ret < second.call.inv || (first.key === key && first.version < second.version);
      return before && first.id > second.id;
    }),
  );
}

function writtenBy(call: RawCall, ids: ReadonlyMap<string, number>): Written[] {
  const entries = list(call.answer.entries);
  return list(call.invoke.writes).flatMap((write, i) => {
    const version = entries[i]?.version;
    if (version === undefined) return [];
    const key = String(write.key);
    return [{ call, key, version: Number(version), id: ids.get(`${version} ${key}`) }];
  });
}

/** Read from the start to the end, and nothing was gone. */
function isWhole(calls: readonly RawCall[], finals: readonly Page[]): boolean {
  const last = calls
    .filter(({ op, outcome, scans }) => op === 'since' && scans && outcome === 'accepted')
    .at(-1);
  if (!last || finals.some(({ gap }) => gap) || finals[0]!.from !== 0) return false;
  return list(last.answer.events).length < Number(last.invoke.limit ?? 1);
}
