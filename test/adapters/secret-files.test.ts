import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseSigningKey } from '../../adapters/crypto/ed25519-keys.ts';
import { loadOrCreateSecret } from '../../adapters/crypto/secret-file.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  file = join(folder, 'keys', 'secret');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a secret file', () => {
  test('a secret file is created once and read again later', () => {
    const made = loadOrCreateSecret(file);
    expect(loadOrCreateSecret(file)).toEqual(made);
    expect(loadOrCreateSecret(join(folder, 'other'))).not.toEqual(made);
  });

  test('a secret file is readable by its owner only and leaves no other file behind', () => {
    loadOrCreateSecret(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'keys'))).toEqual(['secret']);
  });

  test.each([0o640, 0o604, 0o620, 0o644])('a secret file that others may use is refused (mode %o)', (mode) => {
    loadOrCreateSecret(file);
    chmodSync(file, mode);
    expect(() => loadOrCreateSecret(file)).toThrow(
      `${file} holds a secret that others may read; run: chmod 600 ${file}`,
    );
  });

  test.each([
    '',
    'garbage',
    '\0'.repeat(32),
    `-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n`,
  ])('a secret file with garbage is refused and left unchanged (%j)', (garbage) => {
    loadOrCreateSecret(file);
    writeFileSync(file, garbage);
    expect(() => loadOrCreateSecret(file)).toThrow(/^\/[^\n]* does not hold [^\n]*\.$/);
    expect(readFileSync(file, 'utf8')).toBe(garbage);
  });
});

test('a secret has 32 bytes', () => {
  expect(loadOrCreateSecret(file)).toHaveLength(32);
});

test.each([
  ['of another algorithm', generateKeyPairSync('ed448').privateKey.export({ format: 'pem', type: 'pkcs8' })],
  ['without its private part', generateKeyPairSync('ed25519').publicKey.export({ format: 'pem', type: 'spki' })],
  [
    'protected by a pass phrase',
    generateKeyPairSync('ed25519').privateKey.export({
      format: 'pem',
      type: 'pkcs8',
      cipher: 'aes-256-cbc',
      passphrase: 'x',
    }),
  ],
])('a key %s is refused as a signing key', (_, pem) => {
  expect(parseSigningKey(pem.toString())).toBeUndefined();
});

test('processes that start together all use the same secret', async () => {
  const module = JSON.stringify(new URL('../../adapters/crypto/secret-file.ts', import.meta.url).href);
  const script = `import { loadOrCreateSecret } from ${module}; console.log(loadOrCreateSecret(process.argv[1]).toString('hex'));`;
  const start = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, file]);
  const started = await Promise.all(Array.from({ length: 4 }, start));
  expect(new Set(started.map(({ stdout }) => stdout))).toEqual(
    new Set([`${loadOrCreateSecret(file).toString('hex')}\n`]),
  );
  expect(readdirSync(join(folder, 'keys'))).toEqual(['secret']);
});
