import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lostWrites } from '../../adapters/sqlite/cut-log.ts';
import { newFolder, open } from './sqlite/folder.ts';

const DEVICES = 50;
const FRAME = 24 + 4096;

/** The files of a store with 50 acknowledged devices, as a killed process leaves them. */
const killedStore = async (): Promise<string> => {
  const living = join(newFolder(), 'store.db');
  const table = open(living);
  for (let n = 0; n < DEVICES; n++) await table.put({ pk: 'p', sk: `${n}`, data: { n } });
  const file = join(newFolder(), 'store.db');
  for (const part of ['', '-wal']) copyFileSync(living + part, file + part);
  return file;
};

const damage = (file: string, at: number): void => {
  const bytes = readFileSync(file);
  bytes.fill(0xff, at, at + 8);
  writeFileSync(file, bytes);
};

/** The devices found after a start. */
const devicesIn = async (file: string): Promise<number> => (await open(file).query({ pk: 'p' })).items.length;

test.each([
  ['a page in the middle', (size: number) => 32 + Math.floor(size / FRAME / 2) * FRAME + 500],
  ['the first page', () => 32 + 24 + 500],
  ['the number of a round in a frame', (size: number) => 32 + Math.floor(size / FRAME / 2) * FRAME + 8],
  ['the header', () => 16],
])('a start that loses acknowledged writes because of damage to %s of the log reports it once', async (_, at) => {
  const file = await killedStore();
  const log = `${file}-wal`;
  damage(log, at(statSync(log).size));
  const left = await devicesIn(file);
  expect(left).toBeLessThan(DEVICES);
  const [lost = '', ...more] = lostWrites(file);
  expect(lost).toMatch(/dropped what \d+ of its transactions had written; restore the newest backup/);
  expect(more).toEqual([]);
  await open(file).put({ pk: 'q', sk: 'q', data: {} });
  await devicesIn(file);
  expect(lostWrites(file)).toEqual([lost]);
});

test.each([
  ['is whole', () => {}],
  ['ends in a torn frame', (log: string) => truncateSync(log, statSync(log).size - 100)],
  ['has a damaged last frame', (log: string) => damage(log, statSync(log).size - 100)],
  ['is empty', (log: string) => truncateSync(log, 0)],
])('a start reports nothing about a log that %s', async (_, change) => {
  const file = await killedStore();
  change(`${file}-wal`);
  await devicesIn(file);
  expect(lostWrites(file)).toEqual([]);
});

test('no start after a killed writer reports a cut log', async () => {
  const file = join(newFolder(), 'store.db');
  for (let kills = 0; kills < 5; kills++) {
    const writer = spawn(process.execPath, [join(import.meta.dirname, 'sqlite/write-until-stopped.ts'), file]);
    await once(writer.stdout, 'data');
    writer.kill('SIGKILL');
    await once(writer, 'exit');
    expect(existsSync(`${file}-wal`)).toBe(true);
    await open(file).close();
    expect(lostWrites(file)).toEqual([]);
  }
});
