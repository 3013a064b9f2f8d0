/** Takes one fault from intent to healed, and writes every step into the supervisor's history. */
import { type HistoryWriter, stamp } from '../history/writer.ts';
import type { Member } from '../process/crew.ts';
import type { FaultName } from '../scenario/scenario.ts';
import { type FaultOutcome, failed, type Injection, missed, type Seen } from './fault.ts';

export interface CourseOptions {
  readonly id: number;
  readonly name: FaultName;
  readonly targets: readonly Member[];
  readonly log: HistoryWriter;
}

type Stage = 'intent' | 'act' | 'confirm' | 'heal' | 'healed';

/** Never throws: a fault that throws has failed. */
export async function runCourse(begin: () => Injection, options: CourseOptions): Promise<FaultOutcome> {
  const note = (stage: Stage, seen?: Seen): void => writeNote(options, stage, seen);
  note('intent');
  note('act');
  let isDone = false;
  let begun: Injection | undefined;
  const done = await attempt(async () => {
    const injection = begin();
    begun = injection;
    // One that throws may have done half of it: it is healed.
    isDone = true;
    isDone = await injection.inject();
    return isDone ? await injection.confirm() : missed('it was gone already');
  });
  note('confirm', done);
  const injection = begun;
  if (!isDone || !injection) return done.outcome;
  const lasted = done.outcome === 'confirmed' ? await attempt(async () => injection.last?.()) : undefined;
  if (lasted) note('confirm', lasted);
  note('heal');
  const healed = await attempt(async () => {
    await injection.heal();
    return injection.confirmHealed();
  });
  note('healed', healed);
  return [lasted, healed].some((seen) => seen?.outcome === 'failed') ? 'failed' : done.outcome;
}

async function attempt<T>(step: () => Promise<T>): Promise<T | Seen> {
  try {
    return await step();
  } catch (error) {
    return failed(`the fault threw: ${(error as Error)?.message ?? String(error)}`);
  }
}

function writeNote({ id, name, targets, log }: CourseOptions, stage: Stage, seen: Seen | undefined): void {
  const [first, ...others] = targets;
  const detail = seen?.detail ?? alsoHit(stage, others);
  log.write({
    type: 'fault',
    t: stamp(),
    id,
    fault: name,
    stage,
    ...(first === undefined ? {} : { incarnation: first.incarnation, label: first.label }),
    ...(seen === undefined ? {} : { outcome: seen.outcome }),
    ...(detail === undefined ? {} : { detail }),
  });
}

function alsoHit(stage: Stage, others: readonly Member[]): string | undefined {
  if (stage !== 'intent' || others.length === 0) return undefined;
  return `and ${others.map(({ label, incarnation }) => `${label} (incarnation ${incarnation})`).join(', ')}`;
}
