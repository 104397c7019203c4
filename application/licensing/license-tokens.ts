import type { LicenseDecision } from '../../domain/licensing/license-decision.ts';
import type { ClientPolicy } from '../../domain/policy/client-policy.ts';
import { DAY_MS, type Instant, millis, toInstant } from '../../domain/shared/instant.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type Ports = Needs<'licenseSigner' | 'links'>;

export type Decided = LicenseDecision & {
  product: { id: number; bundle_id: string | null };
  device: { device_id: string } | null;
  version_covered: boolean | null;
  checked_at: Instant;
};

/** `iat` is rounded down to the hour, so that the same decision makes the same token within the hour. */
const ISSUE_MS = 3_600_000;

/** Unix seconds. */
const seconds = (moment: number): number => Math.floor(moment / 1000);

/**
 * License tokens, with which an application runs offline: signed copies of valid decisions. A token is valid until
 * `ttl_days` of the policy have passed since its `iat`, or until the access ends, whichever comes first. A refusal has
 * no token, nor has a decision that seats no device: such a token would run on every machine.
 */
export const licenseTokens = ({ licenseSigner, links }: Ports) => {
  /** As of `LicenseSigner`: await it before `issue`. */
  const fresh = (): Promise<void> | undefined => licenseSigner.fresh();

  const issue = (decided: Decided, accountId: number, policy: ClientPolicy) => {
    const checked = millis(decided.checked_at);
    const recheck_after = toInstant(checked + (policy.recheck_hours * DAY_MS) / 24);
    if (!decided.valid || decided.device === null) return { recheck_after, token: null };
    const issued = checked - (checked % ISSUE_MS);
    const accessEnd = decided.access_expires_at === null ? Number.POSITIVE_INFINITY : millis(decided.access_expires_at);
    const token = licenseSigner.sign('license+jws', {
      iss: links.issuer(),
      sub: String(accountId),
      iat: seconds(issued),
      exp: seconds(Math.min(issued + policy.ttl_days * DAY_MS, accessEnd)),
      valid: true,
      code: decided.code,
      product_id: decided.product.id,
      bundle_id: decided.product.bundle_id,
      device_id: decided.device.device_id,
      access_source: decided.access_source,
      access_expires_at: decided.access_expires_at,
      updates_supported_until: decided.updates_supported_until,
      version_covered: decided.version_covered,
    });
    return { recheck_after, token };
  };

  return { fresh, issue };
};

export type LicenseTokens = ReturnType<typeof licenseTokens>;
