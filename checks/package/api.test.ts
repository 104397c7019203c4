import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apiReport, REPORT } from './report.ts';

test('the report of the public face is that of the sources; otherwise run "npm run api" and read what it changes', async () => {
  const report = await apiReport();
  expect(report.size).toBeGreaterThan(10);
  expect(readdirSync(REPORT).sort()).toEqual([...report.keys()].sort());
  const outdated = [...report].filter(([file, text]) => readFileSync(join(REPORT, file), 'utf8') !== text);
  expect(outdated.map(([file]) => `${file} is outdated: run "npm run api"`)).toEqual([]);
}, 120_000);
