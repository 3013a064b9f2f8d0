/** Why a guarantee is not judged: the store does not promise it, cannot show it, or the history holds nothing to judge by. */
import { type History, OP } from '../history/history.ts';
import type { OperationName } from '../history/record.ts';
import type { Declares } from '../store-module/declares.ts';
import { calmOf } from './calm.ts';
import { isItemKind } from './feed-items.ts';
import type { GuaranteeId } from './guarantee.ts';

/** The reason in words, or undefined where the guarantee is judged. `methods` undefined: nobody told what the store has. */
export function reasonNotTested(
  id: GuaranteeId,
  history: History,
  declares: Declares,
  methods: readonly OperationName[] | undefined,
): string | undefined {
  const lacks = (method: OperationName): string | undefined =>
    methods && !methods.includes(method) ? `the store has no \`${method}\`` : undefined;
  const facet = otherFacet(id, history);
  if (facet !== undefined) return facet;
  switch (id) {
    case 'S1':
      return declares.tokens === 'none' ? 'the store declares that it has no tokens' : undefined;
    case 'S2':
      return ascending(declares);
    case 'S3':
    case 'S13':
      return undefined;
    case 'S14':
      return (
        lacks('release') ??
        (declares.tokens === 'none' ? 'the store declares that it has no tokens' : fencing(declares))
      );
    case 'S15a':
      return lacks('commit') ?? unfenced(history) ?? writesUnfenced(declares) ?? ascending(declares);
    case 'S15b':
      return (
        lacks('commit') ??
        unfenced(history) ??
        (declares.tokens === 'none' ? 'the store declares that it has no tokens' : fencing(declares))
      );
    case 'S12':
      return attempts(declares);
    case 'S4':
    case 'S21':
      return declares.tokens === 'none' ? 'the store declares that it has no tokens' : fencing(declares);
    case 'S4c':
      return lacks('complete') ?? fencing(declares) ?? ascending(declares);
    case 'S5':
    case 'S10':
      return lacks('complete');
    case 'S6':
      return (
        lacks('enqueue') ??
        onlyOnDemand(history, declares) ??
        lacks('scan') ??
        unread(history) ??
        lossy(declares)
      );
    case 'S7':
      return lacks('complete') ?? lacks('scan') ?? unread(history) ?? lossy(declares);
    case 'S8':
      return preloaded(history, declares);
    case 'S9':
      return lacks('scan') ?? unread(history);
    case 'S11':
      return declares.lateCalls === 'refused'
        ? (fencing(declares) ?? ascending(declares))
        : 'the store declares that it accepts late calls of a holder that was not superseded';
    case 'L1':
    case 'L2':
      return calmOf(history) === undefined
        ? 'the history tells no time in which all faults were known to be off'
        : returns(declares);
    case 'L3':
      return history.phases.length > 0 ? undefined : 'the history does not tell when faults were on';
    case 'L4':
      return calmOf(history) === undefined
        ? 'the history tells no time in which all faults were known to be off'
        : undefined;
    case 'S16':
      return lacks('commit') ?? unwritten(history);
    case 'S17':
      return lacks('claimNext') ?? ordered(declares) ?? preloaded(history, declares);
    case 'P1':
    case 'P2':
    case 'P3':
    case 'P4':
    case 'P6':
    case 'P7':
      return undefined;
    case 'P5':
    case 'P8':
      return history.finalPlans ? undefined : 'the versions of the plans were not read at the end';
    case 'S20':
      return lacks('since');
    case 'S22':
      return lacks('since');
    case 'S19':
      return lacks('scan') ?? unread(history) ?? lossy(declares) ?? preloaded(history, declares);
  }
}

/** Guarantees of a facet that the workload did not use. */
function otherFacet(id: GuaranteeId, history: History): string | undefined {
  const used = facets(history);
  switch (id) {
    case 'L3':
    case 'L4':
      return undefined;
    case 'S16':
      return used.entries ? undefined : 'the workload wrote and read no entries';
    case 'S20':
    case 'S22':
      if (used.feed || (used.entries && history.finalFeed)) return undefined;
      if (!history.finalFeed || !used.work) return 'the workload read no feed';
      return tellsOfItems(history) ? undefined : 'the feed tells nothing of items';
    case 'P1':
    case 'P2':
    case 'P3':
    case 'P4':
    case 'P5':
    case 'P6':
    case 'P7':
    case 'P8':
      return used.plans ? undefined : 'the workload worked on no plan';
    default:
      return !used.work && (used.entries || used.feed) ? 'the workload leased no items' : undefined;
  }
}

/** A store may keep events of its own kinds, or none, of items. */
const tellsOfItems = ({ finalFeed }: History): boolean =>
  finalFeed?.pages.some(({ events }) => events.some(({ kind }) => isItemKind(kind))) ?? false;

interface Facets {
  work: boolean;
  entries: boolean;
  feed: boolean;
  plans: boolean;
}

const FACETS = new WeakMap<History, Facets>();

/** Which facets were called. The final reads come by themselves and tell nothing of the workload. */
function facets(history: History): Facets {
  const known = FACETS.get(history);
  if (known) return known;
  const { ops, feed, incarnations, planVerbs } = history;
  const used: Facets = {
    work: false,
    entries: false,
    feed: feed.length > 0,
    plans: planVerbs.length > 0,
  };
  for (let row = 0; row < ops.length; row++) {
    if (incarnations.get(ops.incarnation[row]!)?.role === 'scanner') continue;
    const op = ops.op[row]!;
    if (op === OP.commit || op === OP.get || op === OP.list || op === OP.history) used.entries = true;
    else if (op === OP.since || op === OP.trim) used.feed = true;
    else if (op !== OP.scan && op !== OP.plan) used.work = true;
    if (used.work && used.entries && used.feed) break;
  }
  FACETS.set(history, used);
  return used;
}

/** Entries that nobody was seen to write cannot be told from entries that came from nowhere. */
function unwritten({ ops }: History): string | undefined {
  for (let row = 0; row < ops.length; row++) if (ops.op[row] === OP.commit) return undefined;
  return 'no write was recorded: the entries were there before';
}

const unfenced = ({ fences }: History): string | undefined =>
  fences.size > 0 ? undefined : 'the workload wrote no entry under a lease';

const writesUnfenced = ({ fencing: kind }: Declares): string | undefined =>
  kind === 'none'
    ? 'the store declares fencing none: nothing that is written under a lease is refused'
    : undefined;

function ordered({ order, dedupe }: Declares): string | undefined {
  if (order === 'none') return 'the store declares no order of its items';
  if (order === 'priority')
    return 'the store declares an order by priority, and no call of the contract names a priority';
  return dedupe ? 'the store declares that it merges items that are alike' : undefined;
}

const ascending = ({ tokens }: Declares): string | undefined =>
  tokens === 'ascending'
    ? undefined
    : `the store declares tokens ${tokens}: its grants have no order to compare`;

const fencing = ({ fencing: kind }: Declares): string | undefined =>
  kind === 'lock' ? undefined : `the store declares fencing ${kind}: its lease row refuses nobody`;

function attempts({ maxAttempts, retentionMs, dedupe }: Declares): string | undefined {
  if (!maxAttempts) return 'the store declares that it has no limit of attempts';
  if (retentionMs !== 'forever') return 'the store forgets finished items, and their attempts with them';
  return dedupe ? 'the store declares that it merges items that are alike' : undefined;
}

function returns({ delivery, reads }: Declares): string | undefined {
  if (delivery === 'at-most-once') return 'the store declares that it hands an item out once';
  return reads === 'eventual' ? 'the store declares that a claim may see an older state' : undefined;
}

const unread = ({ scan }: History): string | undefined => (scan ? undefined : 'the final scan was not read');

function lossy({ durability, reads, dedupe }: Declares): string | undefined {
  if (durability === 'none') return 'the store declares no durability: it may lose what it accepted';
  if (reads !== 'linearizable') return `the store declares ${reads} reads: a scan may show an older state`;
  if (dedupe) return 'the store declares that it merges items that are alike';
  return undefined;
}

const hasEnqueue = ({ ops }: History): boolean => {
  for (let row = 0; row < ops.length; row++) if (ops.op[row] === OP.enqueue) return true;
  return false;
};

const onlyOnDemand = (history: History, { items }: Declares): string | undefined =>
  items === 'on-demand' && !hasEnqueue(history) ? 'the items are made by their first claim' : undefined;

/** Items that nobody was seen to enqueue cannot be told from items that came from nowhere. */
const preloaded = (history: History, { items }: Declares): string | undefined =>
  items === 'enqueued' && !hasEnqueue(history)
    ? 'no enqueue was recorded: the items were there before'
    : undefined;
