import { type Findings, fuzz, type Length } from './fuzz.ts';
import { type ApiDocument, type Plan, plansOf } from './plans.ts';
import { serve } from './served.ts';
import { pythonWithSchemathesis } from './tool.ts';

/** The duration of fuzzing all hosts together: a number of inputs for each operation, or of minutes. */
type Extent = { readonly seed: number } & ({ readonly examples: number } | { readonly minutes: number });

/** The number of parallel runs. */
const LANES = 2;

/** The share of time for a run, in proportion to its operations. Each run starts with a few seconds. */
const lengthOf = (plan: Plan, plans: readonly Plan[], extent: Extent): Length => {
  if ('examples' in extent) return { examples: extent.examples };
  const operations = plans.reduce((sum, one) => sum + one.operations.length, 0);
  return { seconds: Math.max(15, Math.round((extent.minutes * 60 * LANES * plan.operations.length) / operations)) };
};

/** Starts the server, and fuzzes every operation in the document that it serves, with and without credentials. */
export const fuzzService = async (extent: Extent): Promise<Findings[]> => {
  const python = await pythonWithSchemathesis();
  const served = await serve();
  try {
    const document = (await (await fetch(`${served.api}/docs/openapi.json`)).json()) as ApiDocument;
    const plans = plansOf(document, served.credentials);
    const waiting = plans
      .map((plan, n) => ({ plan, n }))
      .sort((a, b) => b.plan.operations.length - a.plan.operations.length);
    const results: Findings[] = [];
    const lane = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const { plan, n } = next;
        const length = lengthOf(plan, plans, extent);
        results[n] = await fuzz(python, plan, { known: served.known, seed: extent.seed, length });
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    return results;
  } finally {
    await served.stop();
  }
};
