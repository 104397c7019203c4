import { calculateJwkThumbprint, compactVerify, decodeProtectedHeader, importJWK } from 'jose';
import { describe, expect, test } from 'vitest';
import { signingKeyMaker } from '../../adapters/crypto/ed25519-keys.ts';
import { Ed25519PolicySigner } from '../../adapters/crypto/policy-signer.ts';
import { publicJwk } from '../../domain/signing/signing-key-ring.ts';
import { NOW } from '../support/builders.ts';

const signer = new Ed25519PolicySigner();
const key = { ...signingKeyMaker.newKey(), created_at: NOW, current_from: NOW };
const jwk = { ...publicJwk(key) };

const document = { b: [3, 2], 'a\u20ac': 'Grüße \u0007 "한글" / 😀', a: { z: null, y: 1e2 }, '': true };

describe('the signed policy document', () => {
  test('another implementation verifies a signed document, which names its key and type', async () => {
    const jws = signer.sign(key, document);
    const { payload } = await compactVerify(jws, await importJWK(jwk, 'EdDSA'));
    expect(JSON.parse(new TextDecoder().decode(payload))).toEqual(document);
    expect(decodeProtectedHeader(jws)).toEqual({
      alg: 'EdDSA',
      kid: await calculateJwkThumbprint(jwk),
      typ: 'client-policy+jws',
    });
  });

  test('the payload of a signed document is canonical JSON, whatever the order of its members (RFC 8785)', () => {
    const payload = Buffer.from(signer.sign(key, document).split('.')[1] as string, 'base64url').toString();
    expect(payload).toBe('{"":true,"a":{"y":100,"z":null},"a\u20ac":"Grüße \\u0007 \\"한글\\" / 😀","b":[3,2]}');
    const turned = Object.fromEntries(Object.entries(document).toReversed());
    expect(signer.sign(key, turned)).toBe(signer.sign(key, document));
  });

  test('a signed document is the same from every signer and differs with another key or content', () => {
    const other = { ...signingKeyMaker.newKey(), created_at: NOW, current_from: NOW };
    const first = signer.sign(key, document);
    expect(new Ed25519PolicySigner().sign(key, document)).toBe(first);
    expect(signer.sign(other, document)).not.toBe(first);
    expect(signer.sign(key, { ...document, b: [] })).not.toBe(first);
    expect(signer.sign(key, document)).toBe(first);
  });

  test('signing is refused for a document with a lone surrogate', () => {
    expect(() => signer.sign(key, { a: '\ud800' })).toThrow();
  });
});
