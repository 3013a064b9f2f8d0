/** `check --item KEY`: the same results with the violations of one item only. The verdict stays that of the whole run. */
import type { Results } from '../report/results.ts';
import { nearest } from '../scenario/nearest.ts';
import { UsageError } from '../scenario/usage-error.ts';

export function onlyItem(results: Results, item: string, keys: readonly string[]): Results {
  if (!keys.includes(item)) {
    const near = nearest(item, keys);
    throw new UsageError({
      code: 'COMMAND_LINE',
      message: `Expected \`--item\` to be an item of the history, got \`${item}\`.`,
      hint: near === undefined ? `The history has ${keys.length} items.` : `Did you mean \`${near}\`?`,
    });
  }
  const guarantees = results.guarantees.map((guarantee) => ({
    ...guarantee,
    violations: guarantee.violations.filter((violation) => violation.key === item),
  }));
  return { ...results, guarantees };
}
