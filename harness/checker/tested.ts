/** Why a guarantee is not judged: the store does not promise it, cannot show it, or the history holds nothing to judge by. */
import { type History, OP } from '../history/history.ts';
import type { OperationName } from '../history/record.ts';
import type { Declares } from '../store-module/declares.ts';
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
  switch (id) {
    case 'S1':
      return declares.tokens === 'none' ? 'the store declares that it has no tokens' : undefined;
    case 'S2':
      return ascending(declares);
    case 'S3':
    case 'S13':
      return undefined;
    case 'S4':
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
    case 'S19':
      return lacks('scan') ?? unread(history) ?? lossy(declares) ?? preloaded(history, declares);
  }
}

const ascending = ({ tokens }: Declares): string | undefined =>
  tokens === 'ascending'
    ? undefined
    : `the store declares tokens ${tokens}: its grants have no order to compare`;

const fencing = ({ fencing: kind }: Declares): string | undefined =>
  kind === 'lock' ? undefined : `the store declares fencing ${kind}: its lease row refuses nobody`;

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
