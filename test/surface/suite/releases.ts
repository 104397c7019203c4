import { beforeAll, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { PLATFORMS } from '../../../domain/catalog/platform.ts';
import { aBuyer, aKey, anAccount, aStranger } from '../buyers.ts';
import { get } from '../client.ts';
import type { Mount } from '../mount.ts';
import { artifactBytes, NOTES, OTHER, publish, SKILL, sha256, TOOL } from '../shop.ts';
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
    ])('the release list with the query “%s” has the channel and the more stable ones, newest first', async (query, versions) => {
      const { releases } = (await get(mount(), `/api/products/${TOOL}/releases${query}`, key)).body;
      expect(releases.map(({ version }: { version: string }) => version)).toEqual(versions);
    });

    test('releases are ordered by version precedence', async () => {
      const { releases } = (await get(mount(), `/api/products/${SKILL}/releases`, key)).body;
      expect(releases.map(({ version }: { version: string }) => version)).toEqual(['1.10.0', '1.9.0', '1.0.0']);
    });

    test('a release has notes in the requested language or else the other, and its Korean notes', async () => {
      const notes = async (language: string) => {
        const path = `/api/products/${TOOL}/releases`;
        const { releases } = (await get(mount(), path, key, { 'Accept-Language': language })).body;
        return releases.map((release: Record<string, unknown>) => [release['notes'], release['notes_ko']]);
      };
      expect(await notes('ko')).toEqual([
        ['Faster.', null],
        ['처음.', '처음.'],
      ]);
      expect(await notes('en')).toEqual([
        ['Faster.', null],
        ['First.', '처음.'],
      ]);
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

    test('a scheduled release appears in the list at its moment, although the list is cached and revalidated', async () => {
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
      const change = { kind: 'withdraw', reason: 'The test is over.' } as const;
      await mount().service.get('changeRelease')(grantPermit(), { product: String(SKILL), version: '0.0.1', change });
      // Another process answers from its cache until that is as old as it may be.
      await expect
        .poll(async () => (await get(mount(), path, key)).text, { timeout: LONGEST_CATALOG_AGE_MS })
        .not.toContain('"0.0.1"');
    });

    test('a product without releases has an empty release list', async () => {
      expect((await get(mount(), `/api/products/${OTHER}/releases`, key)).body).toEqual({ releases: [], channels: [] });
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
      [undefined, true],
      ['', true],
      ['1.0.0', true],
      ['v1.0.0', true],
      ['1.0', true],
      ['1.1.0-rc.1', true],
      ['1.1.0', false],
      ['v1.1', false],
      ['1.1.1', false],
      ['2', false],
      ['2.0.0-alpha.1', false],
    ])('an update check of version %s has update_available %s', async (version, available) => {
      expect((await check(TOOL, version)).body.update.update_available).toBe(available);
    });

    test.each([
      ['1.9', true],
      ['2.0b3', true],
      ['2.0', false],
      ['2', false],
      ['2.0.0', false],
      ['2.0.1', false],
    ])('an update check of version %s by Sparkle’s rules has update_available %s', async (version, available) => {
      const owner = await aBuyer(mount().service, { product_id: NOTES });
      expect((await check(NOTES, version, owner.key)).body.update.update_available).toBe(available);
    });

    test.each([
      'nonsense',
      '1.0.0.0',
      '-1',
      '%00',
      'x'.repeat(100),
      '1'.repeat(101),
    ])('an update check of the text %s, which is no version of the product’s scheme, is 422', async (version) => {
      const reply = await check(TOOL, version);
      expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, ['version']]);
    });

    test('an update check past the update window reports the update and forbids the download', async () => {
      const late = await aBuyer(mount().service, { updates_supported_until: '2025-12-31T00:00:00.000Z' });
      const { update } = (await check(TOOL, '1.0.0', late.key)).body;
      expect(update).toMatchObject({ current_version: '1.1.0', update_available: true, download_allowed: false });
    });

    test('an update check of a release at the last moment of the window allows the download', async () => {
      const justInTime = await aBuyer(mount().service, { updates_supported_until: '2026-01-10T00:00:00.000Z' });
      expect((await check(TOOL, '1.0.0&platform=linux-amd64', justInTime.key)).body.update.download_allowed).toBe(true);
    });

    test('an update check uses the widest update window of several entitlements', async () => {
      const account = await anAccount(mount().service, {
        entitlements: [{ updates_supported_until: '2025-12-31T00:00:00.000Z' }, { updates_supported_until: null }],
      });
      const { value } = await aKey(mount().service, account);
      expect((await check(TOOL, '1.0.0&platform=linux-amd64', value)).body.update.download_allowed).toBe(true);
    });

    test('the address of an update is the file where the download is allowed, asks for an unknown platform, and refuses elsewhere', async () => {
      let allowed = 0;
      for (const product_id of [TOOL, SKILL, NOTES]) {
        for (const updates_supported_until of [null, '2025-12-31T00:00:00.000Z']) {
          const buyer = (await aBuyer(mount().service, { product_id, updates_supported_until })).key;
          for (const query of ['', ...PLATFORMS.map((platform) => `&platform=${platform}`), '&channel=dev']) {
            const { status, body } = await check(product_id, `1.0.0${query}`, buyer);
            if (status !== 200) continue;
            const { download_allowed, download_url, artifact_sha256, plan_url } = body.update;
            const file = await fetch(download_url, {
              headers: download_allowed && artifact_sha256 ? {} : { Authorization: `Bearer ${buyer}` },
            });
            if (download_allowed && artifact_sha256 === null) {
              expect([file.status, await file.json()]).toMatchObject([
                422,
                { errors: { platform: [expect.any(String)] } },
              ]);
            } else if (download_allowed) {
              expect([file.status, sha256(await file.text())]).toEqual([200, artifact_sha256]);
              const plan = await fetch(plan_url, { headers: { Authorization: `Bearer ${buyer}` } });
              expect(await plan.json()).toMatchObject({ data: { sha256: artifact_sha256 } });
              allowed++;
            } else expect([403, 404]).toContain(file.status);
          }
        }
      }
      expect(allowed).toBeGreaterThan(5);
    });

    test('an update check of a product without a release is 404 without a code, and says so', async () => {
      const owner = await aBuyer(mount().service, { product_id: OTHER });
      const reply = await check(OTHER, '1.0.0', owner.key);
      expect([reply.status, reply.body]).toEqual([404, { message: 'This product has no release yet.' }]);
    });
  });
};
