import {
  calculateJwkThumbprint,
  compactVerify,
  decodeProtectedHeader,
  generateKeyPair,
  importJWK,
  jwtVerify,
} from 'jose';
import { beforeAll, expect, test } from 'vitest';
import type { Entitlement } from '../../../domain/licensing/entitlement.ts';
import { aBuyer } from '../buyers.ts';
import { post } from '../client.ts';
import type { Mount } from '../mount.ts';
import { NOTES, TOOL } from '../shop.ts';
import { daysFromNow } from '../times.ts';

const DAY_SECONDS = 86_400;

/** Tests the signed token that lets an application verify its license offline. */
export const licenseTokenSuite = (mount: () => Mount): void => {
  let publicKey: Awaited<ReturnType<typeof importJWK>>;

  beforeAll(async () => {
    publicKey = await importJWK(mount().licenseKey, 'EdDSA');
  });

  const checked = async (
    entitlement: Partial<Entitlement> = {},
    question: object = { product_id: TOOL, device_id: 'mine' },
  ) => {
    const buyer = await aBuyer(mount().service, entitlement);
    const { body } = await post(mount(), '/api/license/check', buyer.key, question);
    return { ...buyer, body, token: body.token as string };
  };
  const claimsOf = async (token: string) => (await jwtVerify(token, publicKey, { typ: 'license+jws' })).payload;

  test('the service’s public key verifies a license token, whose header names the key by thumbprint', async () => {
    const { token } = await checked();
    expect(decodeProtectedHeader(token)).toEqual({
      alg: 'EdDSA',
      typ: 'license+jws',
      kid: await calculateJwkThumbprint(mount().licenseKey),
    });
    await expect(compactVerify(token, publicKey)).resolves.toBeDefined();
  });

  /** The start of a moment's hour in Unix seconds. */
  const startOfHour = (moment: string): number => Math.floor(Date.parse(moment) / 3_600_000) * 3600;

  test('a license token has the decision, the account and the device of the license check', async () => {
    const until = daysFromNow(400);
    const question = { product_id: TOOL, device_id: 'mine', app_version: '1.0.0' };
    const { account, body, token } = await checked({ updates_supported_until: until }, question);
    expect(await claimsOf(token)).toEqual({
      iss: mount().urls.api,
      sub: String(account),
      iat: startOfHour(body.checked_at),
      exp: startOfHour(body.checked_at) + 14 * DAY_SECONDS,
      valid: true,
      code: 'valid',
      product_id: TOOL,
      bundle_id: null,
      device_id: 'mine',
      access_source: 'direct',
      access_expires_at: null,
      updates_supported_until: until,
      version_covered: true,
    });
  });

  test('the token of a check with a nonce has the nonce and the second of the response', async () => {
    const nonce = 'Vt3q-9_xkQ2mB7cL0pRs1w';
    const { body, token } = await checked({}, { product_id: TOOL, device_id: 'mine', nonce });
    const iat = Math.floor(Date.parse(body.checked_at) / 1000);
    expect(await claimsOf(token)).toMatchObject({ nonce, iat, exp: iat + 14 * DAY_SECONDS });
  });

  test('a check without a device gets a decision without a token, even when every slot is taken', async () => {
    const buyer = await aBuyer(mount().service, { device_limit: 1 });
    const check = async (question: object = {}) =>
      (await post(mount(), '/api/license/check', buyer.key, { product_id: TOOL, ...question })).body;
    expect(await check()).toMatchObject({ valid: true, device: null, token: null });
    expect((await check({ device_id: 'mine' })).token).toEqual(expect.any(String));
    expect(await check()).toMatchObject({ valid: true, device: null, token: null, recheck_after: expect.any(String) });
  });

  test('a license token names the bundle id of an application', async () => {
    const { token } = await checked({ product_id: NOTES }, { bundle_id: 'com.example.notes', device_id: 'mine' });
    expect(await claimsOf(token)).toMatchObject({ product_id: NOTES, bundle_id: 'com.example.notes' });
  });

  test('a license token is invalid with another key or a forged payload', async () => {
    const { token } = await checked();
    const other = await generateKeyPair('EdDSA');
    await expect(compactVerify(token, other.publicKey)).rejects.toThrow();
    const [header, payload, signature] = token.split('.') as [string, string, string];
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...claims, exp: claims.exp + DAY_SECONDS })).toString('base64url');
    await expect(compactVerify(`${header}.${forged}.${signature}`, publicKey)).rejects.toThrow();
  });
};
