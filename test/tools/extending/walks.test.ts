import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepSample } from '../documents/run.ts';
import { checkSteps, walkThrough } from './go.ts';
import { readDocument, walksIn } from './walks.ts';

const A_WALK_MS = 900_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'account-service-sample-'));
  await keepSample(join(folder, 'data'));
}, A_WALK_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

const walks = walksIn(readDocument());

test('the guide has a walkthrough for an endpoint, an engine, a mount and a payment provider', () => {
  expect(walks.map(({ title }) => title)).toEqual([
    'Add an endpoint',
    'Add an engine',
    'Add a mount',
    'Add a payment provider',
  ]);
});

test.for(walks.map((walk) => [walk.title, walk] as const))(
  'a reader who follows "%s" step by step gets a change that works',
  { timeout: A_WALK_MS },
  async ([, walk], { signal }) => {
    expect(await walkThrough(walk, join(folder, 'data'), signal)).toBe('');
  },
);

test(
  'the changes of all walkthroughs compile together, and the linter finds nothing',
  { timeout: A_WALK_MS },
  async ({ signal }) => {
    expect(await walkThrough({ steps: checkSteps(walks) }, join(folder, 'data'), signal)).toBe('');
  },
);

test('an aborted walkthrough ends the running command', async () => {
  const began = join(folder, 'began');
  const commands = [`touch '${began}'; sleep 600`];
  const controller = new AbortController();
  const walk = { title: 'Sleep', steps: [{ kind: 'commands', line: 1, commands }] } as const;
  const fault = walkThrough(walk, join(folder, 'data'), controller.signal);
  await expect.poll(() => existsSync(began), { timeout: 30_000 }).toBe(true);
  controller.abort();
  expect(await fault).toContain('The shell has ended');
});
