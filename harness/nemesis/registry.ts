/** All faults. A new one is one file and one line here. */
import type { Concern } from '../scenario/concern.ts';
import { FAULT_NAMES, type FaultName } from '../scenario/scenario.ts';
import { crashPoint } from './crash-point.ts';
import { diskFull } from './disk-full.ts';
import { drain } from './drain.ts';
import type { Fault, Situation } from './fault.ts';
import { hog } from './hog.ts';
import { kill } from './kill.ts';
import { loseReply } from './lose-reply.ts';
import { pause } from './pause.ts';
import { skew } from './skew.ts';
import { slow } from './slow.ts';
import { stall } from './stall.ts';
import { starve } from './starve.ts';
import { twin } from './twin.ts';

export type FaultRegistry = Readonly<Record<FaultName, Fault>>;

export const FAULTS: FaultRegistry = {
  kill,
  pause,
  twin,
  drain,
  starve,
  skew,
  slow,
  'lose-reply': loseReply,
  hog,
  stall,
  'disk-full': diskFull,
  'crash-point': crashPoint,
};

/** In the order of `FAULT_NAMES`. */
export const faultList = (registry: FaultRegistry = FAULTS): readonly Fault[] =>
  FAULT_NAMES.map((name) => registry[name]);

/** What keeps a fault that the scenario gives a weight from being suffered here. */
export function unmetNeeds(situation: Situation, registry: FaultRegistry = FAULTS): Concern[] {
  const weights = situation.scenario.faults?.weights;
  return faultList(registry).flatMap((fault) =>
    (weights?.[fault.name] ?? 0) > 0 ? (fault.unmet?.(situation) ?? []) : [],
  );
}
