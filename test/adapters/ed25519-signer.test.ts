import { spawnSync } from 'node:child_process';
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calculateJwkThumbprint, compactVerify, decodeProtectedHeader, importJWK } from 'jose';
import { describe, expect, test } from 'vitest';
import { Ed25519Signer } from '../../adapters/crypto/license-signer.ts';

const claims = { code: 'valid', product: { id: 7, name: 'Grüße 한글' }, checked_at: '2026-11-21T08:00:00.000Z' };
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const signer = new Ed25519Signer(privateKey);

/** The key pair of RFC 8037, appendix A. */
const RFC_8037 = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};

describe('a signed response', () => {
  test('another implementation verifies a signed response with the public key alone', async () => {
    const key = await importJWK({ ...signer.publicJwk() }, 'EdDSA');
    const { payload, protectedHeader } = await compactVerify(signer.sign('license+jws', claims), key);
    expect(JSON.parse(new TextDecoder().decode(payload))).toEqual(claims);
    expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'license+jws', kid: signer.publicJwk().kid });
  });

  const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

  test(
    hasOpenssl
      ? 'a signed response verifies by OpenSSL'
      : 'a signed response is not verified by OpenSSL, because this machine lacks it',
    () => {
      if (!hasOpenssl) return;
      const folder = mkdtempSync(join(tmpdir(), 'signer-'));
      try {
        const [header, payload, signature = ''] = signer.sign('license+jws', claims).split('.');
        writeFileSync(join(folder, 'input'), `${header}.${payload}`);
        writeFileSync(join(folder, 'signature'), Buffer.from(signature, 'base64url'));
        writeFileSync(join(folder, 'key.pem'), publicKey.export({ format: 'pem', type: 'spki' }));
        const files = ['-pubin', '-inkey', 'key.pem', '-in', 'input', '-sigfile', 'signature'];
        const verify = () => spawnSync('openssl', ['pkeyutl', '-verify', '-rawin', ...files], { cwd: folder }).status;
        expect(verify()).toBe(0);
        writeFileSync(join(folder, 'input'), `${header}.${payload}x`);
        expect(verify()).not.toBe(0);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );

  test('a signed response is invalid once a claim is changed', async () => {
    const [header, , signature] = signer.sign('license+jws', claims).split('.');
    const forged = Buffer.from(JSON.stringify({ ...claims, code: 'not_entitled' })).toString('base64url');
    await expect(compactVerify(`${header}.${forged}.${signature}`, publicKey)).rejects.toThrow(/signature/);
  });

  test('a signed response names its type, so a policy never passes for a license', () => {
    const types = ['license+jws', 'client-policy+jws', 'license+jws'];
    expect(types.map((typ) => decodeProtectedHeader(signer.sign(typ, claims)).typ)).toEqual(types);
  });
});

describe('the verification of a signed text', () => {
  const text = signer.sign('license+jws', claims);
  const [header, payload, signature] = text.split('.') as [string, string, string];

  test('a signed text is valid only with its own key and type', () => {
    expect(signer.verify('license+jws', text)).toEqual(claims);
    expect(signer.verify('client-policy+jws', text)).toBeUndefined();
    expect(new Ed25519Signer(generateKeyPairSync('ed25519').privateKey).verify('license+jws', text)).toBeUndefined();
  });

  test('a signed text with another header is invalid', () => {
    const { kid } = signer.publicJwk();
    for (const own of [{ alg: 'none', typ: 'license+jws' }, { typ: 'license+jws', alg: 'EdDSA', kid }, {}]) {
      const forged = Buffer.from(JSON.stringify(own)).toString('base64url');
      const signed = sign(null, Buffer.from(`${forged}.${payload}`), privateKey).toString('base64url');
      expect(signer.verify('license+jws', `${forged}.${payload}.${signed}`)).toBeUndefined();
      expect(signer.verify('license+jws', `${forged}.${payload}.`)).toBeUndefined();
    }
  });

  test('a signed text with any change is invalid, even in the spare bits of base64url', () => {
    const last = signature.at(-1) as string;
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const spare = letters[letters.indexOf(last) ^ 1] as string;
    expect(Buffer.from(signature.slice(0, -1) + spare, 'base64url')).toEqual(Buffer.from(signature, 'base64url'));
    for (const changed of [
      `${header}.${payload}.${signature.slice(0, -1)}${spare}`,
      `${header}.${payload}.${signature}=`,
      `${header}.${payload}.${signature} `,
      `${header}.${payload}x.${signature}`,
      `${header}.${payload}.${signature.slice(1)}`,
      `${text}.`,
      ` ${text}`,
      `${header}.${payload}`,
      '',
    ]) {
      expect(signer.verify('license+jws', changed), changed).toBeUndefined();
    }
  });
});

describe('the public key', () => {
  test('the id of a public key is the thumbprint of RFC 8037', () => {
    const jwk = new Ed25519Signer(createPrivateKey({ key: RFC_8037, format: 'jwk' })).publicJwk();
    expect(jwk).toEqual({
      kty: 'OKP',
      crv: 'Ed25519',
      x: RFC_8037.x,
      kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
      alg: 'EdDSA',
      use: 'sig',
    });
  });

  test('the id of a public key is the thumbprint that another implementation computes', async () => {
    const { kid, ...jwk } = signer.publicJwk();
    expect(kid).toBe(await calculateJwkThumbprint(jwk));
  });

  test('the public key contains no part of the private key', () => {
    expect(createPublicKey({ key: { ...signer.publicJwk() }, format: 'jwk' }).equals(publicKey)).toBe(true);
    expect(signer.publicJwk()).not.toHaveProperty('d');
  });
});

describe('a signer', () => {
  test.each([
    ['a key of another algorithm', () => generateKeyPairSync('ed448').privateKey, /not an Ed25519 key/],
    ['a public key', () => publicKey, /not a private key/],
  ])('a signer refuses %s', (_, key, message) => {
    expect(() => new Ed25519Signer(key())).toThrow(message);
  });
});
