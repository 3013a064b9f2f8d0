/** The part of the text report that says the verdict and explains it. Pure. */

import { flow, wrap } from '../../src/text/layout.ts';
import type { ObligationResult } from '../obligation/obligation.ts';
import { checkCommand, type Typed } from './command.ts';
import { count, plural } from './numbers.ts';
import type { Reason, Results } from './results.ts';
import { story } from './story.ts';
import type { Style } from './style.ts';

/** Stories told in full; the rest is in results.json. */
const MAX_STORIES = 3;
const MAX_REASONS = 8;

/** The verdict in capitals, and whatever a person must know to believe it or to change it. */
export function verdictLines(results: Results, style: Style, typed: Typed | undefined): string[] {
  const head = interruptedNote(results, style);
  switch (results.verdict) {
    case 'valid':
      return [...head, ...valid(results, style)];
    case 'violated':
      return [...head, ...violated(results, style, typed), ...besides(results, style)];
    case 'inconclusive':
      return [
        ...head,
        ...headed('INCONCLUSIVE', style.doubt, [NOTHING_BROKEN], style),
        ...unmet(results.obligations, style),
        ...reasons(results.reasons, style, 'inconclusive'),
      ];
    case 'harness-error':
      return [
        ...head,
        ...headed(
          'HARNESS ERROR',
          style.bad,
          ['the test itself went wrong; it says nothing about the store'],
          style,
        ),
        ...reasons(results.reasons, style, 'harness-error'),
        ...foundAllTheSame(results, style, typed),
      ];
  }
}

function interruptedNote(results: Results, style: Style): string[] {
  return results.interrupted
    ? [...headed('INTERRUPTED', style.doubt, ['this report is partial'], style), '']
    : [];
}

const NOTHING_BROKEN = 'nothing broken was seen, and too little was seen to say more';

/** The verdict, and beside it what it says, on as many lines as it takes. */
function headed(word: string, dress: Style['good'], parts: readonly string[], style: Style): string[] {
  const indent = word.length + 3;
  return flow(parts, style.width - indent, ` ${style.mark.between} `).map((line, index) =>
    index === 0 ? `${dress(style.strong(word))}   ${line}` : ' '.repeat(indent) + line,
  );
}

/** What held, in words; only of guarantees that had a chance to break. */
const HELD: readonly (readonly [readonly string[], string])[] = [
  [['S5'], 'no item completed twice'],
  [['S7'], 'no result lost'],
  [['S4'], 'every stale writer refused'],
  [['S16'], 'no update lost'],
  [['S22'], 'the feed skipped nothing'],
  [['P1'], 'no task has two results'],
];

function valid(results: Results, style: Style): string[] {
  const held = new Set(
    results.guarantees.filter((one) => one.verdict === 'held').map((one) => one.guarantee as string),
  );
  const words = HELD.filter(([ids]) => ids.some((id) => held.has(id))).map(([, text]) => text);
  const parts = words.length === 0 ? [`${plural(held.size, 'guarantee')} held`] : words;
  return headed('VALID', style.good, parts, style);
}

function violated(results: Results, style: Style, typed: Typed | undefined): string[] {
  const broken = results.guarantees.filter((one) => one.verdict === 'broken' && one.violations.length > 0);
  const timeline = results.timeline ?? { zero: 0, events: [] };
  const stories = broken.slice(0, MAX_STORIES).flatMap((one) => {
    const [violation] = one.violations;
    if (violation === undefined) return [];
    const again =
      typed === undefined || violation.key === undefined ? undefined : checkCommand(typed, violation.key);
    const named = { ...violation, statement: `${one.name}: ${violation.statement}` };
    const more = one.broken > 1 ? [`  ${style.faint(`${count(one.broken - 1)} more like it`)}`] : [];
    return [[...story(named, timeline, style, again), ...more].join('\n')];
  });
  const rest = broken.slice(MAX_STORIES).map((one) => `${one.name} (${count(one.broken)})`);
  const tail = rest.length === 0 ? [] : ['', ...wrap(`Broken as well: ${rest.join(', ')}.`, style.width)];
  return [stories.join('\n\n'), ...tail];
}

/** A violation is shown, also where the run went wrong elsewhere. */
function foundAllTheSame(results: Results, style: Style, typed: Typed | undefined): string[] {
  const lines = violated(results, style, typed);
  return lines.every((line) => line === '')
    ? []
    : ['', style.strong('Found in a run with a harness error:'), '', ...lines];
}

/** Reasons beside the violations, such as a history that ends early. */
function besides(results: Results, style: Style): string[] {
  const other = results.reasons.filter((reason) => reason.verdict !== 'violated');
  const unmetToo = results.obligations.some((one) => !one.met && one.notTested === undefined);
  const note = unmetToo
    ? [
        '',
        ...wrap(
          'Not all evidence was in either; a violation needs no more than its witness.',
          style.width,
        ).map(style.faint),
      ]
    : [];
  return [...note, ...reasons(other, style, 'inconclusive')];
}

/** Each missing piece of evidence with what to change. */
function unmet(obligations: readonly ObligationResult[], style: Style): string[] {
  const missing = obligations.filter((one) => !one.met && one.notTested === undefined);
  return missing.flatMap((one) =>
    entry(
      style.doubt(style.mark.doubt),
      `${one.name}: seen ${count(one.seen)}, needed ${count(one.min)} (${one.id}). ${one.statement}`,
      one.advice,
      style,
    ),
  );
}

function reasons(all: readonly Reason[], style: Style, own: Reason['verdict']): string[] {
  // Unmet obligations have a block of their own; broken guarantees have their story.
  const listed = all.filter(
    (reason) => reason.code !== 'OBLIGATION_UNMET' && reason.code !== 'GUARANTEE_BROKEN',
  );
  const lines = listed.slice(0, MAX_REASONS).flatMap((reason) => {
    const mark =
      reason.verdict === 'harness-error' ? style.bad(style.mark.bad) : style.doubt(style.mark.doubt);
    const label = reason.verdict === own ? '' : `(${reason.verdict}) `;
    return entry(mark, `${label}${reason.message}`, reason.fix, style);
  });
  const more = listed.length - MAX_REASONS;
  return more > 0
    ? [...lines, '', `  ${style.mark.more} and ${plural(more, 'more reason')} in results.json`]
    : lines;
}

function entry(mark: string, what: string, fix: string | undefined, style: Style): string[] {
  const [first = '', ...rest] = wrap(what, style.width - 4);
  const advice =
    fix === undefined ? [] : wrap(fix, style.width - 6).map((line) => `      ${style.faint(line)}`);
  return ['', `  ${mark} ${first}`, ...rest.map((line) => `    ${line}`), ...advice];
}
