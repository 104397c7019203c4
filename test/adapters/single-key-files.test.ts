import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { loadOrCreateSigningKey, parseSigningKey, pemOf } from '../../adapters/crypto/signing-key-file.ts';
import { keyPartsOf, signingKeyMaker } from '../../adapters/crypto/signing-key-maker.ts';
import { SigningKeyRingFiles } from '../../adapters/crypto/signing-key-ring-files.ts';
import { currentKey, withActivated, withNewKey, withRevoked } from '../../domain/signing/signing-key-ring.ts';
import { NOW } from '../support/builders.ts';
import { done } from '../support/outcomes.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'single-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  file = join(folder, 'license-signing.pem');
});

const rings = () => new SigningKeyRingFiles(folder, 'license');
const kidIn = (text: string): string | undefined => {
  const key = parseSigningKey(text);
  return key && keyPartsOf(key).kid;
};
const create = async () => {
  const read = await rings().read();
  expect(await rings().save(done(withNewKey(read.ring, signingKeyMaker.newKey(), NOW)), read)).toBe(true);
};
const activate = async () => {
  const read = await rings().read();
  expect(await rings().save(done(withActivated(read.ring, 'license', NOW, { unlisted: true })), read)).toBe(true);
};

describe('the file of a single key, which older versions have', () => {
  /** The base64 of a seed, as Sparkle writes it, and PKCS#8 PEM. */
  const TEXTS = [
    ['a seed', `${Buffer.alloc(32, 7).toString('base64')}\n`],
    ['a PEM', pemOf(generateKeyPairSync('ed25519').privateKey)],
  ] as const;

  test.each(TEXTS)('%s is the first key of the ring, and stays as it is while its key signs', async (_, text) => {
    writeFileSync(file, text, { mode: 0o600 });
    const { ring } = await rings().read();
    expect(ring).toMatchObject([{ kid: kidIn(text), current_from: expect.stringMatching(/Z$/) }]);
    await create();
    expect((await rings().read()).ring).toMatchObject([ring[0], { current_from: null }]);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('the file has the key in use after each change, as an older version reads it, for its owner alone', async () => {
    const first = kidIn(pemOf(loadOrCreateSigningKey(file)));
    await create();
    await activate();
    const { ring } = await rings().read();
    expect(ring).toMatchObject([{ kid: first, d: null }, { kid: currentKey(ring, NOW)?.kid }]);
    expect(keyPartsOf(loadOrCreateSigningKey(file)).kid).toBe(currentKey(ring, NOW)?.kid);
    expect(statSync(file).mode & 0o777).toBe(0o600);

    await create();
    const read = await rings().read();
    await rings().save(done(withRevoked(read.ring, 'license', currentKey(read.ring, NOW)?.kid ?? '', NOW)), read);
    const last = currentKey((await rings().read()).ring, NOW)?.kid;
    expect(kidIn(readFileSync(file, 'utf8'))).toBe(last);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('the ring counts where a change was cut off before the file of a single key was written', async () => {
    const before = pemOf(loadOrCreateSigningKey(file));
    await create();
    await activate();
    writeFileSync(file, before);
    const { ring } = await rings().read();
    expect(currentKey(ring, NOW)?.kid).not.toBe(kidIn(before));
    await create();
    expect(kidIn(readFileSync(file, 'utf8'))).toBe(currentKey(ring, NOW)?.kid);
  });

  test('processes that start at once on an empty folder all have the same first key', async () => {
    const module = JSON.stringify(new URL('../../adapters/crypto/signing-key-ring-files.ts', import.meta.url).href);
    const script = `import { SigningKeyRingFiles } from ${module};
      console.log((await new SigningKeyRingFiles(process.argv[1], 'license').read()).ring[0].kid);`;
    const start = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, folder]);
    const started = await Promise.all(Array.from({ length: 4 }, start));
    const [{ kid } = {}] = (await rings().read()).ring;
    expect(started.map(({ stdout }) => stdout.trim())).toEqual(Array.from({ length: 4 }, () => kid));
    expect(readdirSync(folder)).toEqual(['license-signing.pem']);
  });

  test('a file of a single key that others may read is refused', async () => {
    await rings().read();
    chmodSync(file, 0o640);
    await expect(rings().read()).rejects.toThrow(`run: chmod 600 ${file}`);
  });

  test('the policy has no file of a single key, and its ring stays empty until a key is made', async () => {
    mkdirSync(join(folder, 'keys'));
    writeFileSync(join(folder, 'keys', 'policy-signing.pem'), pemOf(generateKeyPairSync('ed25519').privateKey));
    expect((await new SigningKeyRingFiles(join(folder, 'keys'), 'policy').read()).ring).toEqual([]);
  });

  test('the rings of two uses in one folder do not touch each other', async () => {
    const artifact = new SigningKeyRingFiles(folder, 'artifact');
    const before = await artifact.read();
    await create();
    await activate();
    expect(await artifact.read()).toEqual(before);
  });
});
