import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS, usageCosts, usageRows } from '../tools/costs/usage-rows.ts';

const RECORDS = join(import.meta.dirname, '..', '..', 'docs', 'adr');

const record = async (): Promise<string> => {
  const name = (await readdir(RECORDS)).find((one) => one.endsWith('-usage-by-the-day.md'));
  return readFile(join(RECORDS, name as string), 'utf8');
};

const [none = {}, , many = {}] = Object.values(COMMANDS);

const totalOf = (commands: object, way: RegExp): number => {
  const cost = usageCosts(commands).find((one) => way.test(one.way));
  return (cost?.writing ?? 0) + (cost?.storage ?? 0);
};

test('the record of the decision on usage has the costs of each way', async () => {
  const lines = (await record()).split('\n');
  for (const row of usageRows()) expect(lines).toContain(row);
});

test('an item a month is cheaper for rows without commands, and dearer for rows with many', () => {
  expect(totalOf(none, /month/)).toBeLessThan(totalOf(none, /400 days/));
  expect(totalOf(many, /month/)).toBeGreaterThan(totalOf(many, /400 days/));
});

test('a life of 400 days costs little more than half of one of 800', () => {
  expect(totalOf(none, /400 days/) / totalOf(none, /800 days/)).toBeLessThan(0.6);
});
