import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sideBySide } from '../../../adapters/http/node-requests.ts';

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

test('of many works of one turn, 32 begin together and the others in the next turns, in their order', async () => {
  const begin = sideBySide();
  const begun: number[] = [];
  const all = Array.from({ length: 70 }, (_, n) => n);
  for (const n of all) begin(() => begun.push(n));
  await nextTurn();
  expect(begun).toEqual(all.slice(0, 32));
  await nextTurn();
  begin(() => begun.push(70));
  await nextTurn();
  expect(begun).toEqual([...all, 70]);
});
