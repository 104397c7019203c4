import { mkdir, readdir, stat, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { freeName, removeStale, staysFresh } from '../../runtimes/copy/backup.ts';
import { aFolder } from '../support/store-folder.ts';

const PARTIAL = '.2026-11-22T10-15-00Z.01234567.partial';
const OTHER = '.2026-11-22T10-15-01Z.01234567.partial';
const HOUR = 60 * 60;

afterEach(() => {
  vi.useRealTimers();
});

const seconds = (): number => Date.now() / 1000;

test('leftovers of a killed run are deleted after a day', async () => {
  const folder = await aFolder();
  for (const [name, age] of [
    [PARTIAL, 25 * HOUR],
    [OTHER, 23 * HOUR],
  ] as const) {
    await mkdir(join(folder, name));
    await utimes(join(folder, name), seconds() - age, seconds() - age);
  }
  await removeStale(folder);
  expect(await readdir(folder)).toEqual([OTHER]);
});

test('a folder that another run finishes meanwhile causes no error', async () => {
  const folder = await aFolder();
  // The listed name leads nowhere, like that of a folder that has been renamed since.
  await symlink(join(folder, 'finished'), join(folder, PARTIAL));
  await expect(removeStale(folder)).resolves.toBeUndefined();
});

test('a run that takes longer than a day keeps its folder', async () => {
  const folder = await aFolder();
  const path = join(folder, PARTIAL);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  using _fresh = staysFresh(path);
  // The folder does not exist yet.
  await vi.advanceTimersByTimeAsync(HOUR * 1000);
  await mkdir(path);
  await utimes(path, seconds() - 25 * HOUR, seconds() - 25 * HOUR);
  await vi.advanceTimersByTimeAsync(HOUR * 1000);
  await vi.waitFor(async () => expect((await stat(path)).mtimeMs).toBeGreaterThan(Date.now() - HOUR * 1000));
  await removeStale(folder);
  expect(await readdir(folder)).toEqual([PARTIAL]);
});

test('of two backups in the same second, the later one is named after the next free second', async () => {
  const folder = await aFolder();
  expect(await freeName(folder, '2026-11-22T10:15:59.900Z')).toBe('2026-11-22T10-15-59Z');
  await mkdir(join(folder, '2026-11-22T10-15-59Z'));
  await mkdir(join(folder, '2026-11-22T10-16-00Z'));
  expect(await freeName(folder, '2026-11-22T10:15:59.900Z')).toBe('2026-11-22T10-16-01Z');
});
