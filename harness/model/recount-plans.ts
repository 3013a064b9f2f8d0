/**
 * P1 to P8 counted again, naively: the life of each task, version by version, as the raw records show the stored documents; and every
 * verb against every other verb of its plan. Shares nothing with the checkers, with the history builder, nor with the rules of plans.
 */
import type { Declares } from '../store-module/declares.ts';
import { type Fields, list, type RawCall } from './raw-calls.ts';
import { closes, isAccepted, type Tell, type Verb } from './raw-verbs.ts';
import { judgePastOfPlan, type StoredVersion } from './recount-plan-versions.ts';

/** What was found broken, each as `P1 plan/0 epoch 2, task 3`. Counted when asked first. */
export function recountPlans(calls: readonly RawCall[], declares: Declares): (what: string) => boolean {
  let broken: Set<string> | undefined;
  return (what) => {
    broken ??= brokenPlans(calls, declares);
    return broken.has(what);
  };
}

/** All of it. */
export function brokenPlans(calls: readonly RawCall[], declares: Declares): Set<string> {
  const broken = new Set<string>();
  const verbs = calls
    .filter((call) => call.op === 'plan')
    .map(
      (call): Verb => ({
        call,
        said: Object(call.invoke.plan) as Fields,
        claim: call.answer.plan === undefined ? undefined : (Object(call.answer.plan) as Fields),
      }),
    );
  for (const key of new Set(verbs.map(({ said }) => String(said.key)))) {
    const own = verbs.filter(({ said }) => said.key === key);
    const tell = (id: string, epoch: unknown, task: unknown): void =>
      void broken.add(`${id} ${key} epoch ${epoch ?? '?'}, task ${task ?? '?'}`);
    const answered = own.filter(isAccepted);
    for (const one of answered)
      for (const other of answered) if (one !== other) comparePair(one, other, own, declares, tell);
    for (const one of own) {
      if (Number(one.claim?.attempts) > Number(one.said.maxAttempts))
        tell('P3', one.claim?.epoch, one.claim?.task);
    }
    const { versions, whole } = versionsOf(calls, key);
    judgePastOfPlan(versions, own, whole, tell);
  }
  return broken;
}

const taskOf = ({ said, claim }: Verb): unknown => claim?.task ?? said.task;
const epochOf = (verb: Verb): unknown => verb.claim?.epoch ?? (closes(verb) ? verb.said.epoch : undefined);

/** What two accepted verbs of one plan cannot both have been answered. `one` is the accused. */
function comparePair(one: Verb, other: Verb, all: readonly Verb[], declares: Declares, tell: Tell): void {
  const epoch = epochOf(one);
  const otherEpoch = epochOf(other);
  if (epoch === undefined || otherEpoch === undefined) return;
  const task = taskOf(one);
  const later = other.call.ret < one.call.inv;
  if (closes(one) && later && other.claim && Number(otherEpoch) > Number(epoch)) {
    if (one.said.generation !== undefined) tell('P2', epoch, task);
  }
  if (epoch !== otherEpoch || task !== taskOf(other)) return;
  const generation = Number(one.claim?.generation ?? one.said.generation);
  const otherGeneration = Number(other.claim?.generation ?? other.said.generation);
  if (one.said.verb === 'markDone' && other.said.verb === 'markDone') tell('P1', epoch, task);
  if (closes(one) && other.claim && later && otherGeneration > generation) tell('P2', epoch, task);
  if (other.said.verb === 'markDone' && later && one.said.verb !== 'markDone') tell('P4', epoch, task);
  if (!one.claim || !other.claim) return;
  const [kind, otherKind] = [one.claim.kind, other.claim.kind];
  if (kind === 'renewed' && otherKind === 'renewed' && generation === otherGeneration)
    tell('P6', epoch, task);
  if (kind !== 'claimed') return;
  const attempts = Number(one.claim.attempts) - Number(other.claim.attempts);
  if (otherKind === 'claimed') {
    if (generation === otherGeneration) tell('P3', epoch, task);
    if (generation === otherGeneration + 1 && attempts !== 1) tell('P3', epoch, task);
  }
  const { clockDrift, clockStepMs, grainMs } = declares;
  const standsMs = Math.max(0, Number(other.said.leaseMs) * (1 - clockDrift) - clockStepMs - grainMs);
  if (generation <= otherGeneration || !(one.call.ret < other.call.inv + standsMs * 1e6)) return;
  const closed = all.some(
    (verb) =>
      closes(verb) &&
      (isAccepted(verb) || verb.call.outcome === 'info') &&
      epochOf(verb) === epoch &&
      taskOf(verb) === task &&
      verb.call.inv <= one.call.ret &&
      verb.call.ret >= other.call.inv,
  );
  if (!closed) tell('P7', epoch, task);
}

/** Every version of a plan that the scanner read, by number, and whether none can be missing. */
function versionsOf(
  calls: readonly RawCall[],
  key: string,
): { readonly versions: readonly StoredVersion[]; readonly whole: boolean } {
  const byNumber = new Map<number, Fields>();
  let newest = 0;
  for (const call of calls) {
    const entries = list(call.answer.entries).filter((entry) => entry.key === key);
    for (const entry of entries) newest = Math.max(newest, Number(entry.version));
    if (!call.scans || call.op !== 'history') continue;
    for (const { version, content } of entries)
      if (content !== undefined) byNumber.set(Number(version), Object(content) as Fields);
  }
  const versions = [...byNumber]
    .map(([version, plan]) => ({ version, plan }))
    .sort((a, b) => a.version - b.version);
  return { versions, whole: newest > 0 && versions.length === newest };
}
