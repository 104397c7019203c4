import { beforeAll, describe, expect, test } from 'vitest';
import type { Entitlement } from '../../../domain/licensing/entitlement.ts';
import { aBuyer, aKey } from '../buyers.ts';
import { post, type Reply } from '../client.ts';
import type { Mount } from '../mount.ts';
import { NOTES, OTHER, TOOL, UNKNOWN } from '../shop.ts';
import { daysAgo, daysFromNow } from '../times.ts';

const PATH = '/api/license/check';

export const licenseCheckSuite = (mount: () => Mount): void => {
  let key: string;

  beforeAll(async () => {
    ({ key } = await aBuyer(mount().service));
  });

  const check = (question: object, with_: string = key): Promise<Reply> => post(mount(), PATH, with_, question);
  const decisionFor = async (entitlement: Partial<Entitlement>, question: object = { product_id: TOOL }) =>
    (await check(question, (await aBuyer(mount().service, entitlement)).key)).body;

  test('a license check of an owned product is valid, with a token and the time of the next check', async () => {
    const until = daysFromNow(30);
    const body = await decisionFor(
      { access_expires_at: until, updates_supported_until: until },
      { product_id: TOOL, device_id: 'mine' },
    );
    expect(body).toEqual({
      valid: true,
      code: 'valid',
      message: expect.any(String),
      product: { id: TOOL, name: 'Tool', bundle_id: null },
      access_source: 'direct',
      access_expires_at: until,
      updates_supported_until: until,
      version_covered: null,
      uncovered_versions: 'allowed',
      edition: null,
      features: [],
      metadata: {},
      device: expect.objectContaining({ device_id: 'mine' }),
      devices_used: 1,
      device_limit: 3,
      manage_url: `${mount().urls.account}/devices?product=${TOOL}`,
      devices: { used: 1, limit: 3 },
      continuation: null,
      checked_at: expect.any(String),
      recheck_after: expect.any(String),
      token: expect.any(String),
    });
    expect(Date.parse(body.recheck_after) - Date.parse(body.checked_at)).toBe(24 * 3_600_000);
    expect(Math.abs(Date.parse(body.checked_at) - Date.now())).toBeLessThan(60_000);
  });

  test('a license check finds the product by its bundle id', async () => {
    const body = await decisionFor({ product_id: NOTES }, { bundle_id: 'com.example.notes' });
    expect(body.product).toEqual({ id: NOTES, name: 'Notes', bundle_id: 'com.example.notes' });
    const both = { product_id: NOTES, bundle_id: 'com.example.notes' };
    expect((await decisionFor({ product_id: NOTES }, both)).valid).toBe(true);
  });

  test('a check with a nonce returns a value that the next check sends back', async () => {
    const buyer = await aBuyer(mount().service);
    const question = { product_id: TOOL, device_id: 'mine', device_name: 'Studio Mac', nonce: 'n'.repeat(22) };
    const first = (await check(question, buyer.key)).body;
    expect([first.continuation, first.device.name]).toEqual([expect.any(String), 'Studio Mac']);
    const next = (await check({ ...question, continuation: first.continuation }, buyer.key)).body;
    expect([next.continuation, next.device.shared_at]).toEqual([first.continuation, null]);
    const old = await check({ product_id: TOOL, device_id: 'mine' }, buyer.key);
    expect(old.body.continuation).toBeNull();
  });

  test.each([
    ['x'.repeat(101)],
    ['two\nlines'],
    ['\u200b'],
    [7],
  ])('a license check with the device name %j counts as one without a name', async (device_name) => {
    const buyer = await aBuyer(mount().service);
    const question = { product_id: TOOL, device_id: 'mine', device_name, continuation: ['no text'] };
    expect((await check(question, buyer.key)).body).toMatchObject({ valid: true, device: { name: null } });
  });

  describe('a license check that can’t be decided', () => {
    test('a license check without a body is 422', async () => {
      const reply = await post(mount(), PATH, key);
      expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, ['product_id']]);
    });

    test.each([
      [{ product_id: UNKNOWN }],
      [{ bundle_id: 'com.example.unknown' }],
      [{ bundle_id: '__proto__' }],
    ])('a license check of the unknown product %j is 404', async (question) => {
      const reply = await check(question);
      expect([reply.status, reply.body]).toEqual([404, { message: expect.any(String) }]);
    });

    test.each([
      [{ product_id: 0 }, 'product_id'],
      [{ product_id: 'one' }, 'product_id'],
      [{ product_id: 2 ** 60 }, 'product_id'],
      [{ product_id: TOOL, bundle_id: 5 }, 'bundle_id'],
      [{ bundle_id: 'b'.repeat(256) }, 'bundle_id'],
      [{ product_id: TOOL, device_id: 'd'.repeat(256) }, 'device_id'],
      [{ product_id: TOOL, device_id: {} }, 'device_id'],
      [{ product_id: TOOL, app_version: '1'.repeat(101) }, 'app_version'],
      [{ product_id: TOOL, nonce: 'n'.repeat(15) }, 'nonce'],
      [{ product_id: TOOL, nonce: `${'n'.repeat(16)}+` }, 'nonce'],
    ])('a license check with the bad field in %j is 422 and names %s', async (question, field) => {
      const reply = await check(question);
      expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, [field]]);
    });
  });

  describe('a negative license check', () => {
    test.each<[string, Partial<Entitlement>]>([
      ['not_entitled', { product_id: OTHER }],
      ['not_entitled', { granted_at: daysFromNow(1) }],
      ['access_expired', { access_expires_at: daysAgo(1) }],
      ['entitlement_revoked', { revoked_at: daysAgo(1) }],
    ])('a license check is 200 with the code %s and no token for the entitlement %j', async (code, entitlement) => {
      const body = await decisionFor(entitlement, { product_id: TOOL, device_id: 'mine', app_version: '1.0.0' });
      expect(body).toMatchObject({
        valid: false,
        code,
        access_source: null,
        access_expires_at: code === 'access_expired' ? entitlement.access_expires_at : null,
        updates_supported_until: null,
        version_covered: null,
        device: null,
        devices: { used: 0 },
        token: null,
      });
    });
  });

  describe('the license check of a bound key', () => {
    test('a bound key gets the same 403 for the license of another product, whether or not it exists', async () => {
      const { account } = await aBuyer(mount().service);
      const bound = (await aKey(mount().service, account, { product_id: TOOL })).value;
      for (const question of [
        { product_id: OTHER },
        { product_id: UNKNOWN },
        { bundle_id: 'com.example.notes' },
        { bundle_id: 'com.example.unknown' },
      ]) {
        const reply = await check(question, bound);
        expect([reply.status, reply.body.error]).toEqual([403, 'product_api_key_scope_required']);
      }
      const texts = [{ bundle_id: 'com.example.notes' }, { bundle_id: 'com.example.unknown' }].map(
        async (question) => (await check(question, bound)).text,
      );
      expect(new Set(await Promise.all(texts)).size).toBe(1);
    });
  });
};
