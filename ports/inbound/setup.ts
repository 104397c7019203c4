import * as z from 'zod';
import { bodyExamples } from './body-examples.ts';
import { endpoint } from './endpoint.ts';
import { examples } from './examples.ts';
import { ProductSetupProgressData } from './schemas/catalog.ts';

const group = 'Setup progress';

export const getSetupProgress = endpoint({
  id: 'getSetupProgress',
  host: 'api',
  method: 'GET',
  path: '/api/products/{product}/setup-progress',
  group,
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  output: { kind: 'json', status: 200, schema: ProductSetupProgressData, example: examples.setupProgress },
  refusals: [],
  summary: 'Get how far the setup is',
  description: 'Which of the product’s setup steps this account has done.',
});

export const saveSetupProgress = endpoint({
  id: 'saveSetupProgress',
  host: 'api',
  method: 'PUT',
  path: '/api/products/{product}/setup-progress',
  group,
  access: { credential: 'key', ability: 'setup-progress.write', requires: ['entitlement'] },
  body: z
    .object({
      completed_step_indexes: z
        .array(z.int().min(0))
        .max(200)
        .optional()
        .meta({ description: 'all steps done so far, counted from 0; left out, nothing changes' }),
    })
    .meta({ id: 'SetupProgressBody' }),
  bodyExample: bodyExamples.saveSetupProgress,
  output: { kind: 'json', status: 200, schema: ProductSetupProgressData, example: examples.setupProgress },
  refusals: ['validation_failed'],
  summary: 'Save how far the setup is',
  description: 'Replaces the list of completed steps.',
});
