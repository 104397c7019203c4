import { expect, test } from 'vitest';
import { OneAtATime } from '../../application/shared/one-at-a-time.ts';

/** A task that records its name when it starts, and ends on request. */
const aWork = (begun: string[], name: string) => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const work = (waited: boolean): Promise<string> => {
    begun.push(waited ? `${name}, after another` : name);
    return promise;
  };
  return { work, end: () => resolve(name), fail: () => reject(new Error(name)) };
};

test('tasks of the same name run one after the other, and tasks of different names in parallel', async () => {
  const begun: string[] = [];
  const turns = new OneAtATime();
  const [first, second, other] = ['first', 'second', 'other'].map((name) => aWork(begun, name)) as [
    ReturnType<typeof aWork>,
    ReturnType<typeof aWork>,
    ReturnType<typeof aWork>,
  ];
  const results = [turns.run('a', first.work), turns.run('a', second.work), turns.run('b', other.work)];
  await new Promise(setImmediate);
  expect(begun).toEqual(['first', 'other']);
  first.end();
  await results[0];
  await new Promise(setImmediate);
  expect(begun).toEqual(['first', 'other', 'second, after another']);
  second.end();
  other.end();
  expect(await Promise.all(results)).toEqual(['first', 'second', 'other']);
});

test('a failed task blocks no other, and a name is free again after its last task', async () => {
  const begun: string[] = [];
  const turns = new OneAtATime();
  const [failing, second, later] = [aWork(begun, 'failing'), aWork(begun, 'second'), aWork(begun, 'later')];
  const results = [turns.run('a', failing.work), turns.run('a', second.work)];
  failing.fail();
  second.end();
  await expect(results[0]).rejects.toThrow('failing');
  expect(await results[1]).toBe('second');
  later.end();
  await turns.run('a', later.work);
  expect(begun).toEqual(['failing', 'second, after another', 'later']);
});
