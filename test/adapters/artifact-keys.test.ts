import { execFileSync } from 'node:child_process';
import type { KeyObject } from 'node:crypto';
import { expect, test } from 'vitest';
import { Ed25519ArtifactSigner } from '../../adapters/crypto/artifact-signer.ts';
import { keyPartsOf, parseSigningKey } from '../../adapters/crypto/ed25519-keys.ts';
import { MemorySigningKeyRings } from '../../adapters/memory/memory-signing-key-rings.ts';
import { firstRing } from '../../domain/signing/signing-key-ring.ts';
import { NOW } from '../support/builders.ts';
import { opensslVerifies } from '../support/openssl.ts';

const signerWith = (text: string): Ed25519ArtifactSigner => {
  const ring = firstRing(keyPartsOf(parseSigningKey(text) as KeyObject), NOW);
  return new Ed25519ArtifactSigner(new MemorySigningKeyRings(ring));
};
const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');

/** The first key and its signature of the empty text in RFC 8032, section 7.1. */
const SEED = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
const PUBLIC = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
const SIGNED =
  'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b';

test.each(['', '\n'])('a key exported by Sparkle’s generate_keys signs as Sparkle does (ending in %j)', async (end) => {
  const signer = signerWith(base64(SEED) + end);
  expect(await signer.publicKey()).toBe(base64(PUBLIC));
  expect(await signer.sign(Buffer.of())).toMatchObject({ signature: base64(SIGNED) });
});

test('a key that openssl made signs files, and openssl verifies them', async () => {
  const pem = execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519']).toString();
  const signer = signerWith(pem);
  const file = Buffer.from('file');
  const { signature } = await signer.sign(file);
  expect(opensslVerifies(await signer.publicKey(), file, signature)).toBe(true);
});

test('a key in the older format of generate_keys, without a seed, is refused', () => {
  expect(parseSigningKey(Buffer.alloc(96, 1).toString('base64'))).toBeUndefined();
});

test('a signer verifies its own signatures and no others', async () => {
  const signer = signerWith(base64(SEED));
  const { signed_by } = await signer.sign(Buffer.of());
  expect(await signer.signerOf(Buffer.of(), base64(SIGNED))).toBe(signed_by);
  expect(await signer.signerOf(Buffer.of(1), base64(SIGNED))).toBeUndefined();
  for (const wrong of ['', 'nonsense', base64(SIGNED).slice(4), `${base64(SIGNED)}AAAA`]) {
    expect(await signer.signerOf(Buffer.of(), wrong), wrong).toBeUndefined();
  }
});
