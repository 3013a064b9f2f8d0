/** A violation as a person reads it: what happened, in order, and which call should have been refused. Pure. */
import type { Violation, WitnessOperation } from '../checker/finding.ts';
import { besideLabel, labelled, pad, wrap } from './layout.ts';
import { instant } from './numbers.ts';
import type { Style } from './style.ts';
import { incarnationOf, spanOf, type Timeline } from './timeline.ts';

/** The lines of one violation: headline, the operations with what happened in between, because, assumed, again. */
export function story(
  violation: Violation,
  timeline: Timeline,
  style: Style,
  again: string | undefined,
): string[] {
  const named = labels(violation.witness);
  // What the second oracle did not confirm is no violation: the run is then a harness error.
  const word = violation.confirmedBy === undefined ? 'UNCONFIRMED' : 'VIOLATED';
  const indent = ' '.repeat(word.length + 3);
  const headline = wrap(violation.statement, style.width - indent.length);
  const head = `${style.bad(style.strong(word))}   `;
  const beside = besideLabel(style.width);
  const list = (label: string, texts: readonly string[]) =>
    labelled(
      label,
      texts.flatMap((text) => wrap(text, beside)),
    );
  return [
    ...headline.map((line, index) => `${index === 0 ? head : indent}${line}`),
    '',
    ...happened(violation, timeline, style, named),
    '',
    ...list('because', violation.because),
    ...list('assumed', violation.assumed.length === 0 ? [] : [violation.assumed.join('; ')]),
    ...list('confirmed', violation.confirmedBy === undefined ? [] : [CONFIRMED[violation.confirmedBy]]),
    ...(again === undefined ? [] : labelled('again', [again])),
  ];
}

const CONFIRMED = {
  oracle: 'no order of these operations keeps the rule (exhaustive search)',
  recount: 'counted a second time, over the raw records',
} as const;

interface Moment {
  readonly at: number;
  readonly line: string;
}

function happened(
  violation: Violation,
  timeline: Timeline,
  style: Style,
  named: ReadonlyMap<number, string>,
): string[] {
  const { witness } = violation;
  const [from, to] = spanOf(violation);
  const names = Math.max(...[...named.values()].map((name) => name.length));
  const ops = Math.max(...witness.map((one) => one.op.length));
  const detail = Math.max(...witness.map((one) => one.detail.length));
  const calls = witness.map((one): Moment => {
    const name = pad(named.get(incarnationOf(one.request)) ?? one.label, names);
    const outcome = outcomeOf(one, style);
    const words = outcome === '' ? one.detail : `${pad(one.detail, Math.min(detail, 40))}   ${outcome}`;
    return { at: one.inv, line: `${name}   ${pad(one.op, ops)}   ${words}` };
  });
  const events = timeline.events
    .filter((event) => event.at >= from && event.at <= to && named.has(event.incarnation))
    .map((event): Moment => {
      const name = named.get(event.incarnation) ?? event.label;
      return {
        at: event.at,
        line: style.faint(`${' '.repeat(names)}   ${event.text.replace(event.label, name)}`),
      };
    });
  return [...calls, ...events]
    .sort((a, b) => a.at - b.at)
    .map(({ at, line }) =>
      `  ${pad(`${instant((at - timeline.zero) / 1e6)} s`, 9, 'right')}   ${line}`.trimEnd(),
    );
}

function outcomeOf(one: WitnessOperation, style: Style): string {
  if (one.accused) return style.bad(`${style.mark.accused} ${one.outcome.toUpperCase()}`);
  switch (one.outcome) {
    case 'accepted':
      return '';
    case 'refused':
      return 'refused';
    case 'fail':
      return 'failed, no effect';
    case 'info':
      return 'answer unknown';
  }
}

/** Worker names; two processes of one label are told apart by the number of their incarnation. */
function labels(witness: readonly WitnessOperation[]): ReadonlyMap<number, string> {
  const lives = new Map<string, Set<number>>();
  for (const one of witness) {
    const known = lives.get(one.label) ?? new Set();
    lives.set(one.label, known.add(incarnationOf(one.request)));
  }
  return new Map(
    [...lives].flatMap(([label, ids]) =>
      [...ids].map((id) => [id, ids.size > 1 ? `${label}/${id}` : label] as const),
    ),
  );
}
