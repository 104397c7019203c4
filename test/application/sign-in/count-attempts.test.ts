import { expect, test } from 'vitest';
import { Contention } from '../../../application/shared/contended.ts';
import { countAttempts } from '../../../application/sign-in/count-attempts.ts';
import { NOW } from '../../support/builders.ts';

test('an attempt whose counter takes no more fails, so that it compares nothing without being counted', async () => {
  const rateLimits = { hit: async () => null, takeBack: async () => {} };
  const attempts = countAttempts({ rateLimits, clock: { now: () => NOW } });
  const limit = { subject: 'sign-in#address', most: 5, minutes: 15 };
  await expect(attempts([limit])).rejects.toThrow(Contention);
});
