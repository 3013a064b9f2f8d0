/** A tool set: the verbs of one plan for one driving model, under an owner that nobody else has. */
import { randomUUID } from 'node:crypto';
import { checkLabel } from '../../board/validate.ts';
import { invalidArgument } from '../../errors.ts';
import { createPlan } from '../plan.ts';
import type { PlanOptions } from '../types.ts';
import { systemText } from './guidance.ts';
import type { Tool } from './tool.ts';
import { planTools } from './verbs.ts';

const NAME = 'durable_blackboard';
const HEX_DIGITS = 8;

/** Options of `createPlanTools`. */
export interface PlanToolsOptions extends Omit<PlanOptions, 'label' | 'strict'> {
  /** The agents that do the work: at least one, each with a name of its own. */
  readonly agents: readonly { readonly name: string; readonly description?: string }[];
  /** @default 'durable_blackboard' */
  readonly name?: string;
  /**
   * Owner of the claims. A pinned one is for a caller that makes sure that no two live processes carry it.
   * @default the name, a dash and 8 random hex digits, drawn for each tool set
   */
  readonly workerId?: string;
  /** Goes behind the guidance in the system text. */
  readonly system?: string;
}

/** Tools for any LLM SDK, and what the model is told about them. */
export interface PlanTools {
  readonly name: string;
  /** Owner of everything that these tools claim. */
  readonly owner: string;
  readonly tools: readonly Tool[];
  /** Guidance, the agents, and the caller's own text. */
  readonly system: string;
}

/**
 * Binds the nine verbs of a plan to one owner.
 *
 * @throws FencepostError `INVALID_ARGUMENT`
 * @example
 * const { tools, system } = createPlanTools({ store, planId: 'release-7', agents: [{ name: 'writer' }] });
 * const answer = await tools.find(({ name }) => name === 'claim_next')?.handler({});
 */
export function createPlanTools(options: PlanToolsOptions): PlanTools {
  const { agents, name = NAME, workerId, system, ...rest } = options;
  checkAgents(agents);
  checkLabel('name', name);
  const owner = checkLabel('workerId', workerId ?? ownerOf(name));
  const plan = createPlan({ ...rest, label: owner });
  return { name, owner, tools: planTools(plan, owner), system: systemText(agents, system) };
}

/** A name and 8 random hex digits: two processes of one name are two owners (spec/plan.md A6.43). */
export const ownerOf = (name: string): string => `${name}-${randomUUID().slice(0, HEX_DIGITS)}`;

function checkAgents(agents: PlanToolsOptions['agents']): void {
  if (!Array.isArray(agents) || agents.length === 0) {
    throw invalidArgument('agents', 'a non-empty array of agents', agents);
  }
  const names = agents.map((agent: { readonly name?: unknown }) => agent?.name);
  const wrong = names.find((name, i) => typeof name !== 'string' || name === '' || names.indexOf(name) !== i);
  if (wrong !== undefined || names.includes(undefined)) {
    throw invalidArgument('agents', 'agents with names, each of its own', wrong);
  }
}
