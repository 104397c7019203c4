import type { LicenseDecision } from '../../domain/licensing/license-decision.ts';
import type { ClientPolicy } from '../../domain/policy/client-policy.ts';
import { addDays, DAY_MS, earlierEnd, type Instant, millis, toInstant } from '../../domain/shared/instant.ts';
import type { LicenseSigner } from '../../ports/outbound/license-signer.ts';
import type { Links } from '../../ports/outbound/links.ts';

type Ports = { licenseSigner: LicenseSigner; links: Links };

type Decided = LicenseDecision & {
  product: { id: number; bundle_id: string | null };
  device: { device_id: string } | null;
  version_covered: boolean | null;
  checked_at: Instant;
};

const seconds = (instant: Instant): number => Math.floor(millis(instant) / 1000);

/**
 * What lets an application go on offline: a signed copy of a valid decision, good until the policy's `ttl_days` are over
 * or the access ends, whichever comes first. A refusal is never signed.
 */
export class LicenseTokens {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  issue(decided: Decided, accountId: number, policy: ClientPolicy) {
    const { checked_at } = decided;
    const recheck_after = toInstant(millis(checked_at) + (policy.recheck_hours * DAY_MS) / 24);
    if (!decided.valid) return { recheck_after, token: null };
    const end = earlierEnd(addDays(checked_at, policy.ttl_days), decided.access_expires_at) as Instant;
    const token = this.#ports.licenseSigner.sign('license+jws', {
      iss: this.#ports.links.issuer(),
      sub: String(accountId),
      iat: seconds(checked_at),
      exp: seconds(end),
      valid: true,
      code: decided.code,
      product_id: decided.product.id,
      bundle_id: decided.product.bundle_id,
      device_id: decided.device?.device_id ?? null,
      access_source: decided.access_source,
      access_expires_at: decided.access_expires_at,
      updates_supported_until: decided.updates_supported_until,
      version_covered: decided.version_covered,
    });
    return { recheck_after, token };
  }
}
