import { expect, test } from 'vitest';
import { aBuyer, aStranger, type Buyer } from '../buyers.ts';
import { post } from '../client.ts';
import type { Mount } from '../mount.ts';
import { TOOL, UNKNOWN } from '../shop.ts';
import { daysFromNow } from '../times.ts';

const PATH = '/api/device/installs';
const SUM = 'ab'.repeat(32);

export const installsSuite = (mount: () => Mount): void => {
  const kept = ({ account }: Buyer) => Array.fromAsync(mount().service.get('installs').list(account));

  test('an install is recorded with all fields that the device sent', async () => {
    const buyer = await aBuyer(mount().service);
    const { status, body } = await post(mount(), PATH, buyer.key, {
      product_id: TOOL,
      version: '1.1.0',
      bundle_id: 'com.example.tool',
      installed_at: '2026-11-21T17:00:00+09:00',
      release_id: 12,
      artifact_sha256: SUM.toUpperCase(),
    });
    expect(status).toBe(201);
    expect(body.install).toEqual({
      id: expect.any(Number),
      product_id: TOOL,
      version: '1.1.0',
      bundle_id: 'com.example.tool',
      installed_at: '2026-11-21T08:00:00.000Z',
      release_id: 12,
      artifact_sha256: SUM,
      recorded_at: expect.any(String),
    });
    expect(await kept(buyer)).toMatchObject([{ ...body.install, account_id: buyer.account }]);
  });

  test('an install needs only a product and a version, and its time defaults to now', async () => {
    const buyer = await aBuyer(mount().service);
    const nulls = { bundle_id: null, installed_at: null, release_id: null, artifact_sha256: null };
    const empty = { bundle_id: '', installed_at: '' };
    for (const more of [{}, nulls, empty]) {
      const { body } = await post(mount(), PATH, buyer.key, { product_id: TOOL, version: '1', ...more });
      expect(body.install).toMatchObject({ ...nulls, installed_at: body.install.recorded_at });
    }
    expect(await kept(buyer)).toHaveLength(3);
  });

  test('an install of an unknown product is 422, one of a product without entitlement is 403, and neither is recorded', async () => {
    const stranger = await aStranger(mount().service);
    for (const product_id of [UNKNOWN, 0, -1]) {
      const unknown = await post(mount(), PATH, stranger.key, { product_id, version: '1' });
      expect([unknown.status, Object.keys(unknown.body.errors)]).toEqual([422, ['product_id']]);
    }
    const denied = await post(mount(), PATH, stranger.key, { product_id: TOOL, version: '1' });
    expect([denied.status, denied.body.error]).toEqual([403, 'product_entitlement_required']);
    expect(await kept(stranger)).toEqual([]);
  });

  test.each([
    [{ product_id: undefined }, 'product_id'],
    [{ product_id: 'tool' }, 'product_id'],
    [{ product_id: 1.5 }, 'product_id'],
    [{ version: undefined }, 'version'],
    [{ version: null }, 'version'],
    [{ version: '' }, 'version'],
    [{ version: 1 }, 'version'],
    [{ version: 'v'.repeat(65) }, 'version'],
    [{ bundle_id: 'b'.repeat(256) }, 'bundle_id'],
    [{ bundle_id: 7 }, 'bundle_id'],
    [{ installed_at: 'yesterday' }, 'installed_at'],
    [{ installed_at: '2026-02-30T00:00:00Z' }, 'installed_at'],
    [{ installed_at: '2026-11-21' }, 'installed_at'],
    [{ installed_at: '0000-01-01T00:00:00+23:59' }, 'installed_at'],
    [{ installed_at: 1_795_000_000 }, 'installed_at'],
    [{ release_id: 0 }, 'release_id'],
    [{ release_id: 'latest' }, 'release_id'],
    [{ release_id: 31 }, 'release_id'],
    [{ release_id: 999_999 }, 'release_id'],
    [{ installed_at: daysFromNow(1.1) }, 'installed_at'],
    [{ installed_at: '1999-12-31T23:59:59Z' }, 'installed_at'],
    [{ version: '1.0\u0000' }, 'version'],
    [{ artifact_sha256: 'ab' }, 'artifact_sha256'],
    [{ artifact_sha256: 'g'.repeat(64) }, 'artifact_sha256'],
  ])('an install with %j is 422, names the field, and is not recorded', async (change, field) => {
    const buyer = await aBuyer(mount().service);
    const reply = await post(mount(), PATH, buyer.key, { product_id: TOOL, version: '1.0.0', ...change });
    expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, [field]]);
    expect(reply.body.errors[field][0]).toMatch(/^The .+\.$/);
    expect(await kept(buyer)).toEqual([]);
  });

  test('a 422 lists every bad field, and its message has the first error and the count of the others', async () => {
    const { key } = await aBuyer(mount().service);
    const { body } = await post(mount(), PATH, key, { version: 5, release_id: 'x' });
    expect(body.errors).toEqual({
      product_id: ['The product id field is required.'],
      version: ['The version field must be a string.'],
      release_id: ['The release id field must be an integer.'],
    });
    expect(body.message).toBe('The product id field is required. (and 2 more errors)');
  });
};
