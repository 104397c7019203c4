import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keepSample } from '../documents/run.ts';
import { walkThrough } from './go.ts';
import { readDocument, walksIn } from './walks.ts';

const A_WALK_MS = 900_000;

describe('the guide to extending the service', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'account-service-sample-'));
    await keepSample(join(folder, 'data'));
  }, A_WALK_MS);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test.for(walksIn(readDocument()).map((walk) => [walk.title, walk] as const))(
    'a reader who follows "%s" step by step gets what it promises',
    { timeout: A_WALK_MS },
    async ([, walk], { signal }) => {
      expect((await walkThrough(walk, join(folder, 'data'), signal)).join('\n')).toBe('');
    },
  );

  test('a walk that is broken off ends the command that runs', async () => {
    const began = join(folder, 'began');
    const commands = [`touch '${began}'; sleep 600`];
    const walk = { title: 'Sleep', steps: [{ kind: 'commands', line: 1, commands, shown: [] }] } as const;
    const controller = new AbortController();
    const faults = walkThrough(walk, join(folder, 'data'), controller.signal);
    await expect.poll(() => existsSync(began), { timeout: 30_000 }).toBe(true);
    controller.abort();
    expect((await faults).join('')).toContain('The shell has ended');
  });
});
