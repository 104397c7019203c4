import type { PublicJwk } from '../../domain/shared/public-jwk.ts';
import { publicJwk } from '../../domain/signing/signing-key-ring.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type Ports = Needs<'licenseSigner' | 'policyKeys'>;

/**
 * The public keys that clients verify signatures with (a JWK set, RFC 7517): each key that signs, signed or will sign
 * the client policy or license tokens. A key is listed from before its first signature until it is revoked. The keys of
 * files are not listed, because applications carry them.
 */
export const listVerificationKeys =
  ({ policyKeys, licenseSigner }: Ports) =>
  async (): Promise<{ readonly keys: readonly PublicJwk[] }> => {
    const [ring] = await Promise.all([policyKeys.current(), licenseSigner.fresh()]);
    return { keys: [...ring.map(publicJwk), ...licenseSigner.publicJwks()] };
  };

export type ListVerificationKeys = ReturnType<typeof listVerificationKeys>;
