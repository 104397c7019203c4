import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sideBySide } from '../../../adapters/http/node-requests.ts';

test('tasks of one tick start together at its end, in order', async () => {
  const begin = sideBySide();
  const begun: number[] = [];
  begin(() => begun.push(1));
  begin(() => begun.push(2));
  await Promise.resolve();
  expect(begun).toEqual([]);
  await nextTurn();
  expect(begun).toEqual([1, 2]);
});

test('a task added while others start waits for the next tick', async () => {
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

test('of many tasks of one tick, 32 start together and the others in the next ticks, in order', async () => {
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
