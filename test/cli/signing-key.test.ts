import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cli, type Ran } from '../support/cli.ts';

let folder: string;

const run = (...args: string[]): Promise<Ran> => cli(args, { DATA_DIR: join(folder, 'data') });
const json = async (...args: string[]) => (await run(...args, '--json')).json();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the signing-key command', () => {
  test('signing-key creates the current key, then the next key, and activates the next key', async () => {
    const first = await json('signing-key', 'create');
    expect(first).toMatchObject({ kid: expect.stringMatching(/^[\w-]{43}$/), state: 'current' });
    const next = await json('signing-key', 'create');
    expect(next).toMatchObject({ state: 'next', current_from: null });
    expect((await run('signing-key', 'create', '--json')).json()).toMatchObject({ error: 'next_key_exists' });
    const early = await run('signing-key', 'activate', '--json');
    expect([early.code, early.json().error]).toEqual([1, 'key_too_new']);
    expect(await json('signing-key', 'activate', '--now')).toMatchObject({ kid: next.kid, state: 'current' });
    const { stdout } = await run('signing-key', 'list', '--json');
    expect(JSON.parse(stdout).map(({ kid, state }: { kid: string; state: string }) => [kid, state])).toEqual([
      [first.kid, 'old'],
      [next.kid, 'current'],
    ]);
    expect(stdout).not.toContain('"d"');
  });

  test('signing-key revoke replaces the current key with the next key and refuses when there is none', async () => {
    const revoke = (kid: string, ...options: string[]) => run('signing-key', 'revoke', ...options, '--', kid);
    const listed = async () => (await json('signing-key', 'list')).map(({ kid }: { kid: string }) => kid);
    const [old, current] = await listed();
    expect((await revoke(old, '--json')).json()).toEqual({ revoked: old, current });
    expect(await listed()).toEqual([current]);
    const again = await revoke(old, '--json');
    expect([again.code, again.json().error]).toEqual([1, 'key_not_found']);

    const alone = await revoke(current);
    expect([alone.code, alone.stdout]).toEqual([1, '']);
    expect(alone.stderr).toMatch(/there is no next key to take its place; create one first\.\n$/);
    const { kid: next } = await json('signing-key', 'create');
    expect((await revoke(current)).stdout).toBe(
      `Key ${current} is revoked, and listed no more. Key ${next} signs the client policy from now on.\n`,
    );
    expect(await listed()).toEqual([next]);

    const files = join(folder, 'data', 'keys');
    const texts = readdirSync(files).filter((name) => name.startsWith('policy-signing.'));
    const holding = texts.map((name) => readFileSync(join(files, name), 'utf8')).filter((text) => text !== '');
    expect(holding.map((text) => JSON.parse(text).keys.map(({ kid }: { kid: string }) => kid))).toEqual([[next]]);
  });
});
