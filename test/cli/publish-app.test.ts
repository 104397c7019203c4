import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cli, type Ran } from '../support/cli.ts';
import { addFiles, productEntry } from '../support/store-folder.ts';

let folder: string;

const run = (...args: string[]): Promise<Ran> => cli(args, { DATA_DIR: join(folder, 'data') });
const publish = (...args: string[]): Promise<Ran> => run('publish', 'memo', join(folder, 'memo.zip'), ...args);

const APP = productEntry({
  id: 1,
  slug: 'memo',
  version_scheme: 'sparkle',
  delivery: { strategy: 'macos-app' },
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-app-'));
  await addFiles(folder, {
    'store.json': JSON.stringify({ format: 1, products: [APP] }),
    'memo.zip': 'memo',
    'memo.delta': 'patch',
    'memo.zip.sig': 'dW50cnVzdGVkIGNvbW1lbnQ6IG9uZQ==\n',
    'elsewhere/memo.delta': 'patch',
  });
  expect(await run('import', join(folder, 'store.json'))).toMatchObject({ code: 0 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the publish command for an application', () => {
  test('publish keeps the Sparkle terms, signs the patches and refuses a release that would break the appcast', async () => {
    const first = await publish(
      '--version',
      '1.0',
      '--build',
      '100',
      '--minimum-system',
      '13.0',
      '--critical',
      '90',
      '--json',
    );
    expect(first.json()).toMatchObject({
      build: '100',
      sparkle: { minimum_system_version: '13.0', critical: { below_version: '90' }, link: null },
    });
    const patch = `100=${join(folder, 'memo.delta')}`;
    const more = ['--delta', patch, '--critical', '--phased-rollout', '3600', '--json'];
    const second = await publish('--version', '1.1', '--build', '110', ...more);
    expect(second.json()).toMatchObject({
      deltas: [{ from_build: '100', filename: 'memo.delta', signature: expect.stringMatching(/^[\w+/]{86}==$/) }],
      sparkle: { critical: { below_version: null }, phased_rollout_interval: 3600 },
    });
    const refused = await publish('--version', '1.2', '--build', '105');
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([
      1,
      '',
      'Version 1.2 would break the appcast of memo: build: version 1.2 has the build 105, which Sparkle takes for older than the 110 of version 1.1; give it a build above 110.\n',
    ]);
    const unnumbered = await publish('--version', '1.2');
    expect([unnumbered.code, unnumbered.stderr]).toEqual([1, expect.stringContaining('needs the build number')]);
  });

  test('publish accepts links to notes, a package’s installation type and the signature of sign_update', async () => {
    const { public_key } = (await run('artifact-key', '--json')).json() as { public_key: string };
    const links = [
      '--release-notes-link',
      'en=https://example.com/en',
      '--release-notes-link',
      'ko=https://example.com/ko',
    ];
    const more = ['--full-release-notes-link', 'https://example.com/all', '--installation-type', 'package'];
    const shown = await publish('--version', '1.1.5', '--build', '115', ...links, ...more, '--json');
    const { signature } = shown.json() as { signature: string };
    expect(shown.json()).toMatchObject({
      installation_type: 'package',
      sparkle: {
        release_notes_link: { en: 'https://example.com/en', ko: 'https://example.com/ko' },
        full_release_notes_link: 'https://example.com/all',
      },
    });
    expect(await publish('--version', '1.1.6', '--build', '116', '--signature', signature)).toMatchObject({ code: 0 });
    const wrong = await publish('--version', '1.1.7', '--build', '117', '--signature', `${'A'.repeat(86)}==`);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining(public_key)]);
  });

  test('publish accepts the .sig file of Tauri’s signer, even for a published file, and no other file', async () => {
    const version = ['--version', '1.1.8', '--build', '118'];
    expect(await publish(...version)).toMatchObject({ code: 0 });
    const added = await publish(...version, '--updater-signature', join(folder, 'memo.zip.sig'));
    expect([added.code, added.stdout]).toEqual([0, expect.stringContaining('Added the updater’s signature')]);
    for (const [file, why] of [
      ['memo.zip', 'is not a .sig file'],
      ['none.sig', 'There is no file'],
    ] as const) {
      const refused = await publish(...version, '--updater-signature', join(folder, file));
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(why)]);
    }
  });

  test('publish accepts patches only from the folder of the published file', async () => {
    for (const [file, why] of [
      ['elsewhere/memo.delta', 'Put '],
      ['none.delta', 'There is no file'],
    ] as const) {
      const refused = await publish('--version', '2.0', '--build', '200', '--delta', `100=${join(folder, file)}`);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(why)]);
    }
  });
});

describe('the artifact-key command', () => {
  const own = (...args: string[]): Promise<Ran> => cli(args, { DATA_DIR: join(folder, 'own') });

  test('artifact-key prints the SUPublicEDKey of a new store, and the same one again', async () => {
    const env = { DATA_DIR: join(folder, 'new') };
    const first = await cli(['artifact-key'], env);
    expect([first.code, first.stderr, first.stdout]).toEqual([0, '', expect.stringMatching(/^[\w+/]{43}=\n$/)]);
    const again = await cli(['artifact-key', '--json'], env);
    expect(again.json()).toEqual({ public_key: first.stdout.trim() });
  });

  test('artifact-key prints the public part of the key that the operator brought, and publish signs with it', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const part = (key: KeyObject, member: 'd' | 'x') =>
      Buffer.from(key.export({ format: 'jwk' })[member] as string, 'base64url').toString('base64');
    const file = join(folder, 'own-key');
    await writeFile(file, part(privateKey, 'd'), { mode: 0o600 });
    expect((await own('signing-key', 'create', '--use', 'artifact', '--from', file)).code).toBe(0);
    expect((await own('artifact-key')).stdout).toBe(`${part(publicKey, 'x')}\n`);
    await own('import', join(folder, 'store.json'));
    const made = await own('publish', 'memo', join(folder, 'memo.zip'), '--version', '1.0', '--build', '1', '--json');
    const { signature } = made.json() as { signature: string };
    expect(verify(null, Buffer.from('memo'), publicKey, Buffer.from(signature, 'base64'))).toBe(true);
  });
});
