/** All faults. A new one is one file and one line here. */
import { FAULT_NAMES, type FaultName } from '../scenario/scenario.ts';
import type { Fault } from './fault.ts';
import { kill } from './kill.ts';
import { pause } from './pause.ts';
import { twin } from './twin.ts';

export type FaultRegistry = Readonly<Record<FaultName, Fault>>;

export const FAULTS: FaultRegistry = { kill, pause, twin };

/** In the order of `FAULT_NAMES`. */
export const faultList = (registry: FaultRegistry = FAULTS): readonly Fault[] =>
  FAULT_NAMES.map((name) => registry[name]);
