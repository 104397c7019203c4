import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { newFile, newFolder, open } from './sqlite/folder.ts';
import { start } from './sqlite/processes.ts';

const integrity = (file: string): unknown => {
  const db = new DatabaseSync(file);
  const answer = db.prepare('PRAGMA integrity_check').get()?.integrity_check;
  db.close();
  return answer;
};

test('processes that open the same new files together all succeed and write to the same stores', async () => {
  const [folder, names, stores] = [newFolder(), ['a', 'b', 'c', 'd'], 20];
  const started = names.map((name) => start('open-new-files.ts', folder, String(stores), '25', name));
  await Promise.all(started.map(({ wrote }) => wrote(1)));
  for (const { child } of started) child.stdin?.end(String(Date.now() + 50));
  const ended = await Promise.all(started.map((process) => process.ended));
  expect(ended).toEqual(names.map(() => ({ code: 0, lines: ['ready'], errors: '' })));
  for (let i = 0; i < stores; i++) {
    const file = join(folder, `${i}.db`);
    expect((await open(file).query({ pk: 'openers' })).items.map(({ sk }) => sk)).toEqual(names);
    expect(integrity(file)).toBe('ok');
  }
});

test('no increment is lost when several processes each add one to the version that they read', async () => {
  const file = newFile();
  const started = Array.from({ length: 4 }, () => start('increment-optimistically.ts', file, '50'));
  const ended = await Promise.all(started.map((process) => process.ended));
  expect(ended).toEqual(started.map(() => ({ code: 0, lines: [], errors: '' })));
  const table = open(file);
  expect((await table.get({ pk: 'shared', sk: 'number' }))?.data).toEqual({ n: 200 });
  expect(await table.increment({ pk: 'shared', sk: 'counter' }, 0)).toBe(200);
});

test.each([
  5, 400, 1500,
])('a process killed after %i acknowledgements loses no acknowledged write and leaves no partial transaction', async (count) => {
  const file = newFile();
  const { child, wrote, ended } = start('write-until-stopped.ts', file);
  await wrote(count);
  child.kill('SIGKILL');
  const { lines, errors } = await ended;
  expect(errors).toBe('');
  expect(lines.length).toBeGreaterThanOrEqual(count);

  const table = open(file);
  expect(integrity(file)).toBe('ok');
  const isThere = async (sk: string) => (await table.get({ pk: 'acknowledged', sk })) !== undefined;
  for (const sk of lines) expect([sk, await isThere(sk)]).toEqual([sk, true]);
  const lastPossible = Math.max(...lines.map(Number)) + 100;
  for (let i = 0; i < lastPossible; i += 3) expect(await isThere(`${i}-twin`)).toBe(await isThere(`${i}`));
  expect(await table.increment({ pk: 'acknowledged', sk: 'count' }, 0)).toBeGreaterThanOrEqual(lines.length);
});
