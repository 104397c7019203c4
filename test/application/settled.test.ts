import { expect, test } from 'vitest';
import { settled } from '../../application/shared/settled.ts';

test('a promise that is settled tells its value or its fault, and never rejects', async () => {
  expect(await settled(Promise.resolve(1))).toEqual({ value: 1 });
  expect(await settled(Promise.reject(new Error('broken')))).toEqual({ fault: new Error('broken') });
});
