import { sign } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { PrivateKey } from '../../domain/signing/signing-key-ring.ts';
import type { PolicySigner } from '../../ports/outbound/signing.ts';
import { privateKeyOf } from './ed25519-keys.ts';

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

const compactJws = (key: PrivateKey, payload: string): string => {
  const header = JSON.stringify({ alg: 'EdDSA', kid: key.kid, typ: 'client-policy+jws' });
  const input = `${base64url(header)}.${base64url(payload)}`;
  return `${input}.${sign(null, Buffer.from(input), privateKeyOf(key)).toString('base64url')}`;
};

/**
 * Signs the client policy with Ed25519, as a compact JWS. The latest JWS is cached, because requests ask for it
 * repeatedly and a new signature would be identical (RFC 8032).
 */
export class Ed25519PolicySigner implements PolicySigner {
  #latest: { readonly kid: string; readonly payload: string; readonly jws: string } | undefined;

  sign(key: PrivateKey, document: object): string {
    const payload = canonicalize(document);
    if (payload === undefined) throw new Error('The document is not JSON.');
    const { kid } = key;
    if (this.#latest?.kid !== kid || this.#latest.payload !== payload) {
      this.#latest = { kid, payload, jws: compactJws(key, payload) };
    }
    return this.#latest.jws;
  }
}
