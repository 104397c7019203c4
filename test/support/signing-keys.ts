import { createPublicKey, verify } from 'node:crypto';
import type { PublicJwk } from '../../domain/signing/signing-key-ring.ts';

const decoded = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());

/** The key id and the payload of a compact JWS that one of these keys signed; null if none of them did. */
export const verified = (jws: string, keys: readonly PublicJwk[]) => {
  const [header = '', payload = '', signature = ''] = jws.split('.');
  const { kid } = decoded(header) as { readonly kid: string };
  const jwk = keys.find((key) => key.kid === kid);
  if (!jwk) return null;
  const key = createPublicKey({ format: 'jwk', key: { kty: jwk.kty, crv: jwk.crv, x: jwk.x } });
  const holds = verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'));
  return holds ? { kid, payload: decoded(payload) } : null;
};
