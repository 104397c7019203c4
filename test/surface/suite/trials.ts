import { randomUUID } from 'node:crypto';
import { importJWK, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { aBuyer } from '../buyers.ts';
import { post, send } from '../client.ts';
import type { Mount } from '../mount.ts';
import { NOTES, SECRET, TOOL } from '../shop.ts';

/** Tests the trial of a product, which needs no account. NOTES has a trial of 14 days. */
export const trialsSuite = (mount: () => Mount): void => {
  const start = (json: object, headers = {}) => send(mount(), 'POST', '/api/license/trial', { json, headers });
  const claimsOf = async (token: string) =>
    (await jwtVerify(token, await importJWK(mount().licenseKey, 'EdDSA'), { typ: 'license+jws' })).payload;

  test('a trial responds like a license check, and its token is valid until its end', async () => {
    const device_id = randomUUID();
    const nonce = randomUUID();
    const { status, body } = await start({ bundle_id: 'com.example.notes', device_id, app_version: '1.0.0', nonce });
    const { activated_at } = body.device;
    const end = new Date(Date.parse(activated_at) + 14 * 86_400_000).toISOString();
    expect([status, body]).toEqual([
      200,
      {
        valid: true,
        code: 'valid',
        message: `Your trial runs until ${end.slice(0, 10)} at ${end.slice(11, 16)} UTC.`,
        access_source: 'trial',
        access_expires_at: end,
        updates_supported_until: null,
        edition: null,
        features: [],
        metadata: {},
        product: { id: NOTES, name: 'Notes', bundle_id: 'com.example.notes' },
        version_covered: true,
        uncovered_versions: 'allowed',
        device: {
          device_id,
          name: null,
          activated_at,
          last_seen_at: activated_at,
          offline_until: null,
          released_at: null,
          shared_at: null,
        },
        devices_used: 1,
        device_limit: 1,
        manage_url: `${mount().urls.account}/devices?product=${NOTES}`,
        devices: { used: 1, limit: 1 },
        continuation: null,
        checked_at: activated_at,
        recheck_after: expect.any(String),
        token: expect.any(String),
      },
    ]);
    expect(await claimsOf(body.token)).toMatchObject({
      sub: 'trial',
      trial: true,
      access_source: 'trial',
      exp: Math.floor(Date.parse(end) / 1000),
      device_id,
      nonce,
    });
  });

  test('a repeated start returns the same trial, and a device that buys the product takes a slot of its license', async () => {
    const device_id = randomUUID();
    const first = await start({ product_id: NOTES, device_id });
    const again = await start({ product_id: NOTES, device_id });
    expect(again.body.access_expires_at).toBe(first.body.access_expires_at);
    const { key } = await aBuyer(mount().service, { product_id: NOTES });
    const { body } = await post(mount(), '/api/license/check', key, { product_id: NOTES, device_id });
    expect(body).toMatchObject({ valid: true, access_source: 'direct', devices_used: 1 });
  });

  test('a product without a trial is 409, with the reason in the language of the request', async () => {
    const { status, body } = await start({ product_id: TOOL, device_id: 'a' }, { 'Accept-Language': 'ko' });
    expect([status, body]).toEqual([
      409,
      { error: 'trial_not_offered', message: '이 제품에는 체험판이 없습니다. 사용하시려면 구매해 주세요.' },
    ]);
  });

  test.each([
    ['a hidden product', 404, { product_id: SECRET, device_id: 'a' }],
    ['an unknown product', 404, { product_id: 999_999, device_id: 'a' }],
    ['no product', 422, { device_id: 'a' }],
    ['two products', 422, { product_id: TOOL, bundle_id: 'com.example.notes', device_id: 'a' }],
    ['no device', 422, { product_id: NOTES }],
    ['a blank device', 422, { product_id: NOTES, device_id: ' ' }],
  ])('a trial of %s is %s', async (_, status, body) => {
    expect((await start(body)).status).toBe(status);
  });
};
