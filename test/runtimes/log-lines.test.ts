import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LogLines } from '../../runtimes/express/log-lines.ts';

let folder: string;
let file: string;
let fd: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'account-service-log-'));
  file = join(folder, 'log');
  fd = openSync(file, 'w');
});
afterEach(() => {
  closeSync(fd);
  rmSync(folder, { recursive: true, force: true });
});

const written = (): string => readFileSync(file, 'utf8');

test('a line alone is written within a second', async () => {
  const lines = new LogLines(fd);
  lines.write('one\n');
  expect(written()).toBe('');
  await vi.waitFor(() => expect(written()).toBe('one\n'), { timeout: 5000 });
  lines.close();
});

test('many lines are written whole and in order, those that were held at the end too', () => {
  const lines = new LogLines(fd);
  const all = Array.from({ length: 5000 }, (_, n) => `line ${n} of a log in 한국어\n`);
  for (const line of all) lines.write(line);
  lines.close();
  expect(written()).toBe(all.join(''));
});

test('a closed log leaves no listener at the process', () => {
  const before = process.listenerCount('exit');
  const lines = new LogLines(fd);
  expect(process.listenerCount('exit')).toBeGreaterThan(before);
  lines.close();
  lines.close();
  expect(process.listenerCount('exit')).toBeLessThanOrEqual(before + 1);
});
