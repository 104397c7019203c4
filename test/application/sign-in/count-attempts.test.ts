import { expect, test } from 'vitest';
import { Contention } from '../../../application/shared/contended.ts';
import { countAttempts } from '../../../application/sign-in/count-attempts.ts';
import { NOW } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';

const LIMIT = { subject: 'sign-in#address', most: 1, minutes: 15 };

test('an attempt fails without a comparison if it can’t be counted', async () => {
  const rateLimits = { hit: async () => null, takeBack: async () => {} };
  const attempts = countAttempts({ rateLimits, clock: { now: () => NOW } });
  await expect(attempts([LIMIT])).rejects.toThrow(Contention);
});

test.each([
  ['2026-11-21T08:00:00.000Z', '15 minutes', 900],
  ['2026-11-21T08:13:01.000Z', '2 minutes', 119],
  ['2026-11-21T08:14:59.000Z', '1 minute', 1],
])('an attempt above the limit at %s must wait for %s, until its window ends', async (at, wait, retry_after) => {
  const { get, clock } = await aStore([]);
  clock.at = at;
  const attempts = countAttempts({ rateLimits: get('rateLimits'), clock });
  expect(await attempts([LIMIT])).toMatchObject({ ok: true });
  expect(await attempts([LIMIT])).toMatchObject({
    code: 'too_many_attempts',
    message: `There were too many attempts; try again in ${wait}.`,
    data: { retry_after },
  });
  clock.at = '2026-11-21T08:15:00.000Z';
  expect(await attempts([LIMIT])).toMatchObject({ ok: true });
});
