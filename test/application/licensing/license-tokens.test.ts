import { describe, expect, test } from 'vitest';
import type { LicenseTokens } from '../../../application/licensing/license-tokens.ts';
import { DEFAULT_POLICY } from '../../../domain/policy/client-policy.ts';
import { addDays, type Instant } from '../../../domain/shared/instant.ts';
import { NOW } from '../../support/builders.ts';
import { aLicenseStore } from '../../support/license-store.ts';
import { API } from '../../support/memory-engines.ts';

type Decided = Parameters<LicenseTokens['issue']>[0];

const HALF_PAST = '2026-11-21T08:30:00.000Z';
const POLICY = { ...DEFAULT_POLICY, ttl_days: 14, recheck_hours: 12 };

const DECIDED: Decided = {
  valid: true,
  code: 'valid',
  message: 'This license is valid.',
  access_source: 'direct',
  access_expires_at: null,
  updates_supported_until: null,
  product: { id: 1, bundle_id: 'com.example.notes' },
  device: { device_id: 'laptop' },
  version_covered: true,
  checked_at: HALF_PAST,
};

const seconds = (moment: Instant): number => Date.parse(moment) / 1000;

/** The token that account 7 gets for a decision, with the claims that were signed. */
const aTokenIssuer = async () => {
  const { store } = await aLicenseStore();
  return (changes: Partial<Decided> = {}) => {
    const issued = store.get('licenseTokens').issue({ ...DECIDED, ...changes }, 7, POLICY);
    return { ...issued, claims: store.get('licenseSigner').verify('license+jws', issued.token ?? '') };
  };
};

describe('a license token', () => {
  test('a token is a signed copy of the decision for its account', async () => {
    const issue = await aTokenIssuer();
    expect(issue().claims).toEqual({
      iss: API,
      sub: '7',
      iat: seconds(NOW),
      exp: seconds(addDays(NOW, 14)),
      valid: true,
      code: 'valid',
      product_id: 1,
      bundle_id: 'com.example.notes',
      device_id: 'laptop',
      access_source: 'direct',
      access_expires_at: null,
      updates_supported_until: null,
      version_covered: true,
    });
  });

  test('a decision that seats no device has no token, and says when to ask again', async () => {
    const issue = await aTokenIssuer();
    expect(issue({ device: null })).toMatchObject({ token: null, recheck_after: expect.any(String) });
  });

  test('the same decision makes the same token until the hour is over', async () => {
    const issue = await aTokenIssuer();
    const { token } = issue({ checked_at: NOW });
    expect(issue({ checked_at: '2026-11-21T08:59:59.999Z' }).token).toBe(token);
    expect(issue({ checked_at: '2026-11-21T09:00:00.000Z' }).token).not.toBe(token);
  });

  test('a token never outlives the access', async () => {
    const issue = await aTokenIssuer();
    expect(issue({ access_expires_at: addDays(NOW, 13) }).claims).toMatchObject({ exp: seconds(addDays(NOW, 13)) });
    expect(issue({ access_expires_at: addDays(NOW, 15) }).claims).toMatchObject({ exp: seconds(addDays(NOW, 14)) });
  });

  test('a refusal is never signed, and tells when to ask again like any decision', async () => {
    const issue = await aTokenIssuer();
    const recheck_after = '2026-11-21T20:30:00.000Z';
    expect(issue({ valid: false, code: 'access_expired' })).toMatchObject({ token: null, recheck_after });
    expect(issue()).toMatchObject({ token: expect.any(String), recheck_after });
  });
});
