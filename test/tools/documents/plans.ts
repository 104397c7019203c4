import type { Plan } from './plan.ts';
import { AGENTS } from './plans/agents.ts';
import { MACHINE } from './plans/machine.ts';
import { OPERATOR } from './plans/operator.ts';

/** The things that a reader brings along, by document. A document without an entry runs on the sample store as it is. */
export const PLANS: Readonly<Record<string, Plan>> = { ...OPERATOR, ...AGENTS, ...MACHINE };
