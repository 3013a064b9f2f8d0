/**
 * How far a check has come, told out of its thread while it goes on. When a budget ends the thread, what was judged by then
 * stands, and the part that it was at is named.
 */
import type { MessagePort } from 'node:worker_threads';
import type { CheckProgress } from '../checker/compose.ts';
import type { Finding } from '../checker/finding.ts';

export type ProgressMessage =
  | { readonly step: 'checker'; readonly checker: string }
  /** A partition: keys of its first and last item, and their numbers. */
  | {
      readonly step: 'items';
      readonly first: string;
      readonly last: string;
      readonly from: number;
      readonly to: number;
      readonly of: number;
    }
  | { readonly step: 'judged'; readonly findings: readonly Finding[] };

/** Sends from the thread. */
export function toldThrough(port: MessagePort, keys: readonly string[]): CheckProgress {
  const send = (message: ProgressMessage): void => port.postMessage(message);
  return {
    begins: (checker) => send({ step: 'checker', checker }),
    items: (from, to) =>
      send({ step: 'items', first: keys[from]!, last: keys[to - 1]!, from, to, of: keys.length }),
    judged: (findings) => send({ step: 'judged', findings }),
  };
}

/** What is known when the thread is ended. */
export class ProgressSoFar {
  readonly findings: Finding[] = [];
  #at = 'the history was being read';

  take(message: ProgressMessage): void {
    switch (message.step) {
      case 'checker':
        this.#at = `${message.checker} was being judged`;
        return;
      case 'items': {
        const { first, last, from, to, of } = message;
        const whole = this.#at.replace(/ at items .*$/, '');
        this.#at = `${whole} at items ${from + 1} to ${to} of ${of}, \`${first}\` to \`${last}\``;
        return;
      }
      case 'judged':
        this.findings.push(...message.findings);
        this.#at = 'the numbers were being counted';
    }
  }

  /** Where it was: half a sentence. */
  get at(): string {
    return this.#at;
  }
}
