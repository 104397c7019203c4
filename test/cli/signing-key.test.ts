import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
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
    expect(alone.stderr).toMatch(/there is no next key to replace it; create one first\.\n$/);
    const { kid: next } = await json('signing-key', 'create');
    expect((await revoke(current)).stdout).toBe(
      `Key ${current} is revoked and no longer listed. Key ${next} signs the client policy from now on.\n`,
    );
    expect(await listed()).toEqual([next]);

    const files = join(folder, 'data', 'keys');
    const texts = readdirSync(files).filter((name) => name.startsWith('policy-signing.'));
    const holding = texts.map((name) => readFileSync(join(files, name), 'utf8')).filter((text) => text !== '');
    expect(holding.map((text) => JSON.parse(text).keys.map(({ kid }: { kid: string }) => kid))).toEqual([[next]]);
  });
});

describe('the signing-key command for licenses and files', () => {
  const states = async (use: string) =>
    (await json('signing-key', 'list', '--use', use)).map(({ state }: { state: string }) => state);

  test('signing-key rotates the license key, and the policy keeps its own keys', async () => {
    const policy = await json('signing-key', 'list');
    expect(await states('license')).toEqual(['current']);
    const next = await json('signing-key', 'create', '--use', 'license');
    expect(next).toMatchObject({ state: 'next' });
    const early = await run('signing-key', 'activate', '--use', 'license');
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('was listed too recently')]);
    expect((await run('signing-key', 'activate', '--use', 'license', '--now')).stdout).toBe(
      `Key ${next.kid} signs license tokens from now on.\n`,
    );
    expect(await states('license')).toEqual(['old', 'current']);
    expect(await json('signing-key', 'list')).toEqual(policy);
  });

  test('signing-key refuses to revoke a license key that has signed, unless it is told to', async () => {
    const [{ kid: old }] = await json('signing-key', 'list', '--use', 'license');
    const asked = await run('signing-key', 'revoke', '--use', 'license', '--json', '--', old);
    expect([asked.code, asked.json().error]).toEqual([1, 'confirmation_required']);
    expect(asked.stderr).toContain('Tokens that it signed no longer verify');
    expect(await states('license')).toEqual(['old', 'current']);
    const revoked = await run('signing-key', 'revoke', '--use', 'license', '--yes', '--json', '--', old);
    expect(revoked.json()).toMatchObject({ revoked: old });
    expect(await states('license')).toEqual(['current']);
    const unused = await json('signing-key', 'create', '--use', 'license');
    expect((await run('signing-key', 'revoke', '--use', 'license', '--', unused.kid)).code).toBe(0);
  });

  test('signing-key explains the cost of activating a file key, and artifact-key prints every key', async () => {
    const first = (await run('artifact-key')).stdout.trim();
    expect((await run('signing-key', 'create', '--use', 'artifact')).stdout).toMatch(
      /is listed as the next key\. Put its SUPublicEDKey \(artifact-key --all\) into the next version/,
    );
    const both = await json('artifact-key', '--all');
    expect(both).toMatchObject([
      { public_key: first, state: 'current' },
      { state: 'next', kid: expect.stringMatching(/^[\w-]{43}$/) },
    ]);
    expect((await run('artifact-key')).stdout.trim()).toBe(first);
    const asked = await run('signing-key', 'activate', '--use', 'artifact');
    expect([asked.code, asked.stdout]).toEqual([1, '']);
    expect(asked.stderr).toMatch(
      /^The old key can never sign again\. .*Nothing has changed yet; add --yes to continue\.\n$/,
    );
    expect((await run('signing-key', 'activate', '--use', 'artifact', '--yes')).code).toBe(0);
    expect((await run('artifact-key')).stdout.trim()).toBe(both[1].public_key);
    expect((await run('artifact-key', '--all')).stdout).toMatch(/SUPublicEDKey +key +state/);
    const none = await run('signing-key', 'activate', '--use', 'artifact');
    expect([none.code, none.stderr]).toEqual([1, 'There is no next key; create one first.\n']);
  });

  test('signing-key accepts a key that was made elsewhere as the next one, and each key once', async () => {
    const file = join(folder, 'own.pem');
    await writeFile(file, `${Buffer.alloc(32, 9).toString('base64')}\n`, { mode: 0o600 });
    const create = (from: string) => run('signing-key', 'create', '--use', 'artifact', '--from', from, '--json');
    const own = (await create(file)).json();
    expect(own).toMatchObject({ state: 'next' });
    const all = await json('artifact-key', '--all');
    expect(all.at(-1)).toMatchObject({ kid: own.kid, public_key: '/RckOFqgx1tk+3jNYC+h2ZH96/drE8WO1wLqyDXp9hg=' });
    const again = await create(file);
    expect([again.code, again.json().error]).toEqual([1, 'key_exists']);
    const none = await create(join(folder, 'missing'));
    expect([none.code, none.json().error]).toEqual([1, 'no_key']);
    await chmod(file, 0o644);
    expect((await create(file)).stderr).toContain(`run: chmod 600 ${file}`);
  });
});
