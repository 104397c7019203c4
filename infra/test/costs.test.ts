import { expect, test } from 'vitest';
import sizes from '../../test/tools/costs/stack.json' with { type: 'json' };
import { recommendedSizes } from '../costs/recommended.ts';

test('the cost page is made from the sizes of today’s stacks; `npm run -s costs` reads them anew', async () => {
  expect(sizes).toEqual(await recommendedSizes());
}, 180_000);
