import { publicJwk } from '../../domain/policy/signing-key-ring.ts';
import type { PublicJwk } from '../../domain/shared/public-jwk.ts';
import type { LicenseSigner } from '../../ports/outbound/license-signer.ts';
import type { PolicyKeys } from '../../ports/outbound/policy-keys.ts';

type Ports = { policyKeys: PolicyKeys; licenseSigner: LicenseSigner };

/**
 * The public keys that clients verify signatures with (a JWK set, RFC 7517): each key that signs, signed or will sign
 * the client policy, and the key that signs license tokens. A key is listed from before its first signature until it is
 * revoked.
 */
export class ListVerificationKeys {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(): Promise<{ readonly keys: readonly PublicJwk[] }> {
    const ring = await this.#ports.policyKeys.current();
    return { keys: [...ring.map(publicJwk), this.#ports.licenseSigner.publicJwk()] };
  }
}
