import { describe, expect, test } from 'vitest';
import { isVersionCovered } from '../../domain/delivery/version-coverage.ts';
import { sparkleOrder } from '../../domain/delivery/version-order.ts';
import type { Access } from '../../domain/licensing/access.ts';
import {
  type CheckedLicense,
  judgeQuestion,
  type LicenseQuestion,
  licenseView,
  productAsked,
} from '../../domain/licensing/license-check.ts';
import { decideLicense } from '../../domain/licensing/license-decision.ts';
import { ok } from '../../domain/shared/outcome.ts';
import { aCatalog, aDevice, aProduct, aRelease, NOW } from '../support/builders.ts';

const APP = aProduct({ id: 1, bundle_id: 'com.example.app', device_limit: 5 });
const catalog = aCatalog({ products: [APP, aProduct({ id: 2, bundle_id: 'com.example.two' })] });
const WIDE = { product_id: null };

const asking = (question: Partial<LicenseQuestion>): LicenseQuestion => ({
  product_id: null,
  bundle_id: null,
  device_id: null,
  app_version: null,
  ...question,
});

const GRANTED: Access = {
  granted: true,
  access_source: 'direct',
  access_expires_at: null,
  updates_supported_until: null,
  device_limit: 2,
};
const DENIED: Access = { granted: false, reason: 'not_entitled' };

describe('the product that a license question names', () => {
  test.each([
    [{ product_id: 1 }],
    [{ bundle_id: 'com.example.app' }],
    [{ product_id: 1, bundle_id: 'com.example.app' }],
    [{ product_id: 1, bundle_id: null }],
  ] satisfies [
    Partial<LicenseQuestion>,
  ][])('a license question by %j is about the product that it names', (question) => {
    expect(productAsked(catalog, WIDE, asking(question))).toEqual(ok(APP));
  });

  test.each([
    [{}, 'validation_failed'],
    [{ product_id: 9 }, 'not_found'],
    [{ bundle_id: 'com.example.none' }, 'not_found'],
  ] satisfies [
    Partial<LicenseQuestion>,
    string,
  ][])('a license question by %j names no product and is refused as %s', (question, code) => {
    expect(productAsked(catalog, WIDE, asking(question))).toMatchObject({ ok: false, code });
  });

  test('a caller bound to one product does not learn whether another exists', () => {
    const bound = { product_id: 1 };
    const other = productAsked(catalog, bound, asking({ bundle_id: 'com.example.two' }));
    expect(other).toMatchObject({ code: 'product_api_key_scope_required' });
    expect(productAsked(catalog, bound, asking({ bundle_id: 'com.example.none' }))).toEqual(other);
    expect(productAsked(catalog, bound, asking({ product_id: 9 }))).toEqual(other);
  });
});

describe('a license question', () => {
  const byId = asking({ product_id: 1 });
  const names = asking({ product_id: 1, bundle_id: 'com.example.two' });

  test('a license question about a product on sale is answered whether the account owns it or not', () => {
    for (const access of [GRANTED, DENIED]) expect(judgeQuestion(APP, access, byId).ok).toBe(true);
  });

  test('a license question with two names is refused unless both name one product', () => {
    expect(judgeQuestion(APP, GRANTED, names)).toMatchObject({
      code: 'validation_failed',
      data: { errors: { bundle_id: [expect.stringContaining('another product')] } },
    });
    expect(judgeQuestion(APP, GRANTED, { ...names, bundle_id: 'com.example.app' }).ok).toBe(true);
  });

  test('a license question finds no product that is hidden from the account, however it is named', () => {
    const hidden = { ...APP, published: false };
    for (const question of [byId, names]) {
      expect(judgeQuestion(hidden, DENIED, question)).toMatchObject({ code: 'not_found' });
    }
    expect(judgeQuestion(hidden, GRANTED, byId).ok).toBe(true);
  });

  test('a license question about a hidden product is answered to an account that had access to it', () => {
    const hidden = { ...APP, published: false };
    expect(judgeQuestion(hidden, { granted: false, reason: 'access_expired', ended_at: NOW }, byId).ok).toBe(true);
    expect(judgeQuestion(hidden, { granted: false, reason: 'entitlement_revoked' }, byId).ok).toBe(true);
  });
});

describe('the answer to a license check', () => {
  const checked = (access: Access, more: Partial<CheckedLicense> = {}): CheckedLicense => ({
    decision: decideLicense(access, false, 'en'),
    product: APP,
    access,
    seat: { device: aDevice(), used: 1 },
    versionCovered: access.granted
      ? isVersionCovered('1.0.0', [aRelease()], access.updates_supported_until, sparkleOrder())
      : null,
    locale: 'en',
    now: NOW,
    ...more,
  });

  test('the answer to a license check shows the device and the limit of the access', () => {
    expect(licenseView(checked(GRANTED))).toMatchObject({
      valid: true,
      product: { id: 1, name: 'Product 1', bundle_id: 'com.example.app' },
      version_covered: true,
      device: { device_id: 'device-1' },
      devices: { used: 1, limit: 2 },
      checked_at: NOW,
    });
  });

  test('the answer to a license check shows no device that may not run the product, and without access the limit of the product', () => {
    const revoked = licenseView(checked(GRANTED, { decision: decideLicense(GRANTED, true, 'en') }));
    expect([revoked.code, revoked.device]).toEqual(['device_revoked', null]);
    expect(licenseView(checked(DENIED))).toMatchObject({
      device: null,
      version_covered: null,
      devices: { used: 1, limit: 5 },
    });
  });
});
