/** Rules of feasibility about entries and the feed. Pure. */
import { type Rule, refusal } from './feasible-rule.ts';

/** In `feed` some lane has to follow, and some lane has to write what is followed. */
export const followersFit: Rule = ({ scenario: { lanes, workload } }) => {
  const { kind, followers, module } = workload;
  if (kind !== 'feed' || module !== undefined) return undefined;
  if (followers === 0) {
    return refusal(
      'Expected `workload.followers` to be at least 1, got 0.',
      'Nobody would read the feed, so nothing could be missed in it.',
      'Set `workload.followers: 1`, or take `workload.kind: register`, which only writes.',
    );
  }
  if (followers < lanes) return undefined;
  return refusal(
    `Expected \`workload.followers\` to be less than \`lanes\` (${lanes}), got ${followers}.`,
    'Every lane would follow the feed, and nobody would write what is followed.',
    `Set \`lanes\` to ${followers + 1} or more.`,
  );
};
