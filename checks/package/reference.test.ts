import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENTRIES } from './entries.ts';
import { writeReference } from './reference.ts';

let folder: string;
let warnings: readonly string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'account-service-reference-'));
  warnings = await writeReference(folder);
}, 240_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test('every type that a public signature names can be imported from an entry, and every link of a comment leads somewhere', () => {
  expect(warnings).toEqual([]);
});

test('the reference has a page for each entry, which the front page introduces', async () => {
  expect(await readdir(join(folder, 'modules'))).toHaveLength(ENTRIES.length);
  expect(await readFile(join(folder, 'index.html'), 'utf8')).toContain('Where to begin');
});
