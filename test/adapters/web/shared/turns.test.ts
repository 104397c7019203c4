import { expect, test } from 'vitest';
import { Turns } from '../../../../adapters/web/shared/turns.ts';

test('another request is answered between two simultaneous comparisons', async () => {
  const turns = new Turns();
  const done: string[] = [];
  const all = ['first', 'second', 'third'].map((name) => turns.take(() => done.push(name)));
  let answers = 0;
  const answer = (): void => {
    done.push(`answer ${++answers}`);
    if (answers < 3) setImmediate(answer);
  };
  setImmediate(answer);
  await Promise.all(all);
  expect(done.indexOf('second') - done.indexOf('first')).toBeGreaterThan(1);
  expect(done.filter((name) => !name.startsWith('answer'))).toEqual(['first', 'second', 'third']);
});

test('a failed comparison lets the next one run', async () => {
  const turns = new Turns();
  const failed = turns.take(() => {
    throw new Error('broken');
  });
  const next = turns.take(() => 'done');
  await expect(failed).rejects.toThrow('broken');
  expect(await next).toBe('done');
});
