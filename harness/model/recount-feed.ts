/** S20 and the pages of S22 counted again: every page against every event, over the raw records. */
import { type Fields, list, type RawCall } from './raw-calls.ts';

export interface Page {
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

/** Whether a page of the feed is broken at a key (S22); the empty key stands for pages that name none. */
export function brokenPages(calls: readonly RawCall[], key: string): boolean {
  const pages = pagesOf(calls);
  const finals = pages.filter(({ call }) => call.scans);
  return pages.some((page) => unordered(page, key)) || skips(pages, finals, key);
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

export function pagesOf(calls: readonly RawCall[]): Page[] {
  return calls
    .filter((call) => call.op === 'since' && call.outcome === 'accepted')
    .map((call) => {
      const from = Number(call.invoke.cursor ?? 0);
      const to = Number(call.answer.cursor ?? from);
      return { call, from, to, gap: call.answer.gap === true, events: list(call.answer.events) };
    });
}
