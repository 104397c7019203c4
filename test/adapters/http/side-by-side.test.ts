import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sideBySide } from '../../../adapters/http/side-by-side.ts';

test('works of one turn begin together at its end, in their order', async () => {
  const begin = sideBySide();
  const begun: number[] = [];
  begin(() => begun.push(1));
  begin(() => begun.push(2));
  await Promise.resolve();
  expect(begun).toEqual([]);
  await nextTurn();
  expect(begun).toEqual([1, 2]);
});

test('a work that is added while others begin waits for the next turn', async () => {
  const begin = sideBySide();
  const begun: string[] = [];
  begin(() => {
    begun.push('first');
    begin(() => begun.push('later'));
  });
  await nextTurn();
  expect(begun).toEqual(['first']);
  await nextTurn();
  expect(begun).toEqual(['first', 'later']);
});
