import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LogLines } from '../../runtimes/express/log.ts';

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

test('a single line is written within a second', async () => {
  const lines = new LogLines(fd);
  lines.write('one\n');
  expect(written()).toBe('');
  await vi.waitFor(() => expect(written()).toBe('one\n'), { timeout: 5000 });
  await lines.close();
});

test('many lines are written whole and in order, including the last ones', async () => {
  const lines = new LogLines(fd);
  const all = Array.from({ length: 5000 }, (_, n) => `line ${n} of a log in 한국어\n`);
  for (const line of all) lines.write(line);
  await lines.close();
  expect(written()).toBe(all.join(''));
  expect(lines.lost).toBe(0);
});

test('a log that can’t be written to loses its lines and ends', async () => {
  const reading = openSync(file, 'r');
  const lines = new LogLines(reading);
  for (let n = 0; n < 5000; n++) lines.write(`line ${n}\n`);
  await lines.close();
  closeSync(reading);
  expect(written()).toBe('');
  expect(lines.lost).toBe(5000);
});

test('a slow reader gets every line, or the count of those above the limit', async () => {
  const lines = new LogLines(fd);
  const line = `${'x'.repeat(1023)}\n`;
  // All in one turn, so that only the first lines are written meanwhile.
  for (let n = 0; n < 20 * 1024; n++) lines.write(line);
  await lines.close();
  const [last = '{}', ...rest] = written().trimEnd().split('\n').reverse();
  const { lost } = JSON.parse(last);
  expect(lost + rest.length).toBe(20 * 1024);
  expect(lines.lost).toBe(lost);
});

test('a closed log leaves no listener on the process', async () => {
  const before = process.listenerCount('exit');
  const lines = new LogLines(fd);
  expect(process.listenerCount('exit')).toBe(before + 1);
  await lines.close();
  expect(process.listenerCount('exit')).toBe(before);
});
