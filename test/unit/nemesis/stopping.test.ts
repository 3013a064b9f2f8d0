import { expect, it } from 'vitest';
import { stopping } from '../../../harness/nemesis/stopping.ts';

type Parts = Parameters<typeof stopping>;

/** A target that is never seen to stop. */
function confirmOf(exit: object | undefined) {
  const target = { child: { exit } } as unknown as Parts[0];
  const context = { crew: { seeStopped: async () => false } } as unknown as Parts[1];
  return stopping(target, context).confirm();
}

it('a process that somebody else ended first was missed; one that runs on makes the fault fail', async () => {
  expect(await confirmOf({ code: null, signal: 'SIGKILL' })).toMatchObject({ outcome: 'missed' });
  expect(await confirmOf(undefined)).toMatchObject({ outcome: 'failed' });
});
