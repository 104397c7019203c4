import { setImmediate as later } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { settled, whenOk } from '../../application/shared/settled.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';

test('a promise that is settled tells its value or its fault, and never rejects', async () => {
  expect(await settled(Promise.resolve(1))).toEqual({ value: 1 });
  expect(await settled(Promise.reject(new Error('broken')))).toEqual({ fault: new Error('broken') });
});

describe('a promise of what is ok', () => {
  const endOf = async (outcome: Promise<Outcome<number, 'not_found'>>): Promise<string> => {
    const waiting = whenOk(outcome).then(
      (value) => `resolved with ${value}`,
      () => 'rejected',
    );
    await settled(outcome);
    return Promise.race([waiting, later('waiting')]);
  };

  test('resolves with its value', async () => {
    expect(await endOf(Promise.resolve(ok(1)))).toBe('resolved with 1');
  });

  test('never settles for a refusal or a fault', async () => {
    expect(await endOf(Promise.resolve(refuse('not_found')))).toBe('waiting');
    expect(await endOf(Promise.reject(new Error('broken')))).toBe('waiting');
  });
});
