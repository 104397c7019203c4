import { beforeAll, describe, expect, test } from 'vitest';
import { aBuyer, aKey, aStranger } from '../buyers.ts';
import { get } from '../client.ts';
import type { Mount } from '../mount.ts';
import { artifactBytes, publish, SKILL, sha256, TOOL } from '../shop.ts';
import { LONGEST_CATALOG_AGE_MS } from '../times.ts';

export const releasesSuite = (mount: () => Mount): void => {
  let key: string;

  beforeAll(async () => {
    ({ key } = await aBuyer(mount().service));
  });

  describe('the releases of a product', () => {
    test.each([
      ['', ['1.1.0', '1.0.0']],
      ['?channel=', ['1.1.0', '1.0.0']],
      ['?channel=stable', ['1.1.0', '1.0.0']],
      ['?channel=beta', ['1.2.0-beta.1', '1.1.0', '1.0.0']],
      ['?channel=alpha', ['2.0.0-alpha.1', '1.2.0-beta.1', '1.1.0', '1.0.0']],
      ['?channel=dev', ['2.0.0-dev.1', '2.0.0-alpha.1', '1.2.0-beta.1', '1.1.0', '1.0.0']],
    ])('the release list with the query “%s” has the releases of the channel and the more stable ones, newest first', async (query, versions) => {
      const { releases } = (await get(mount(), `/api/products/${TOOL}/releases${query}`, key)).body;
      expect(releases.map(({ version }: { version: string }) => version)).toEqual(versions);
    });

    test('the release list of an unknown channel is 422', async () => {
      const reply = await get(mount(), `/api/products/${TOOL}/releases?channel=nightly`, key);
      expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, ['channel']]);
    });

    test('the release list needs no entitlement and no ability', async () => {
      const { account } = await aStranger(mount().service);
      const bare = (await aKey(mount().service, account, { abilities: [] })).value;
      expect((await get(mount(), `/api/products/${TOOL}/releases`, bare)).status).toBe(200);
    });

    test('a scheduled release appears in the list at its date, although the list is cached and revalidated', async () => {
      const path = `/api/products/${SKILL}/releases?channel=dev`;
      const out = Date.now() + 2000;
      const draft = { id: 29, product_id: SKILL, version: '0.0.1', channel: 'dev' } as const;
      await publish(mount().service, { ...draft, released_at: new Date(out).toISOString() });
      const early = await get(mount(), path, key);
      expect(early.text).not.toContain('"0.0.1"');
      const revalidate = () => get(mount(), path, key, { 'If-None-Match': early.headers.get('etag') ?? '' });
      expect((await revalidate()).status).toBe(304);
      await expect
        .poll(async () => (await revalidate()).text, { timeout: LONGEST_CATALOG_AGE_MS })
        .toContain('"0.0.1"');
      expect(Date.now()).toBeGreaterThanOrEqual(out);
    });
  });

  describe('an update check', () => {
    const check = async (product: number, version: string | undefined, with_: string = key) =>
      get(mount(), `/api/products/${product}/updates${version === undefined ? '' : `?version=${version}`}`, with_);

    test('an update check has every field of the current release', async () => {
      const { update } = (await check(TOOL, '1.0.0')).body;
      expect(update).toEqual({
        product_id: TOOL,
        current_version: '1.1.0',
        released_at: '2026-01-10T00:00:00.000Z',
        changelog: 'Faster.',
        source_ref: 'v1.1.0',
        artifact_sha256: null,
        artifact_size: null,
        update_available: true,
        download_allowed: true,
        download_url: `${mount().urls.app}/distribution/v1/releases/12/download`,
        download_expires_at: null,
        plan_url: `${mount().urls.api}/api/products/${TOOL}/install?release=12`,
        covered: null,
      });
    });

    test('an update check has the SHA-256 and size of a platform-neutral file', async () => {
      const owner = await aBuyer(mount().service, { product_id: SKILL });
      const bytes = artifactBytes('1.10.0', null);
      const { update } = (await check(SKILL, '1.9.0', owner.key)).body;
      expect(update).toMatchObject({ artifact_sha256: sha256(bytes), artifact_size: bytes.length });
    });

    test.each([
      'nonsense',
      '1.0.0.0',
      '-1',
      '%00',
      'x'.repeat(100),
      '1'.repeat(101),
    ])('an update check of the invalid version %s is 422', async (version) => {
      const reply = await check(TOOL, version);
      expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, ['version']]);
    });
  });
};
