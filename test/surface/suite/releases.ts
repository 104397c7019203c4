import { beforeAll, describe, expect, test } from 'vitest';
import { aBuyer, aKey, anAccount, aStranger } from '../buyers.ts';
import { get } from '../client.ts';
import type { Mount } from '../mount.ts';
import { artifactBytes, NOTES, OTHER, SKILL, sha256, TOOL } from '../shop.ts';

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
    ])('of %s are those of the channel and the more careful ones, newest first', async (query, versions) => {
      const { releases } = (await get(mount(), `/api/products/${TOOL}/releases${query}`, key)).body;
      expect(releases.map(({ version }: { version: string }) => version)).toEqual(versions);
    });

    test('rank by version, not by spelling or date', async () => {
      const { releases } = (await get(mount(), `/api/products/${SKILL}/releases`, key)).body;
      expect(releases.map(({ version }: { version: string }) => version)).toEqual(['1.10.0', '1.9.0', '1.0.0']);
    });

    test('carry the notes of both languages, and those of the one asked for or else of the other', async () => {
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

    test('of an unknown channel are 422', async () => {
      const reply = await get(mount(), `/api/products/${TOOL}/releases?channel=nightly`, key);
      expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, ['channel']]);
    });

    test('can be read without owning the product, and without any ability', async () => {
      const { account } = await aStranger(mount().service);
      const bare = (await aKey(mount().service, account, { abilities: [] })).value;
      expect((await get(mount(), `/api/products/${TOOL}/releases`, bare)).status).toBe(200);
    });

    test('may be none', async () => {
      expect((await get(mount(), `/api/products/${OTHER}/releases`, key)).body).toEqual({ releases: [] });
    });
  });

  describe('an update check', () => {
    const check = async (product: number, version: string | undefined, with_: string = key) =>
      get(mount(), `/api/products/${product}/updates${version === undefined ? '' : `?version=${version}`}`, with_);

    test('tells the current release', async () => {
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
        download_url: `${mount().urls.api}/api/products/${TOOL}/bundle`,
      });
    });

    test('tells the sum and size of a file that serves every platform', async () => {
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
    ])('of version %s finds an update: %s', async (version, available) => {
      expect((await check(TOOL, version)).body.update.update_available).toBe(available);
    });

    test.each([
      ['1.9', true],
      ['2.0b3', true],
      ['2.0', false],
      ['2', false],
      ['2.0.0', false],
      ['2.0.1', false],
    ])('goes by the product’s own scheme: of %s by Sparkle’s rules, %s', async (version, available) => {
      const owner = await aBuyer(mount().service, { product_id: NOTES });
      expect((await check(NOTES, version, owner.key)).body.update.update_available).toBe(available);
    });

    test.each([
      'nonsense',
      '1.0.0.0',
      '1..0',
      '-1',
      'latest',
      '%00',
      '1'.repeat(65),
    ])('of %s, which is no version, is 422', async (version) => {
      const reply = await check(TOOL, version);
      expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, ['version']]);
    });

    test('past the update window tells of the update and that it may not be downloaded', async () => {
      const late = await aBuyer(mount().service, { updates_supported_until: '2025-12-31T00:00:00.000Z' });
      const { update } = (await check(TOOL, '1.0.0', late.key)).body;
      expect(update).toMatchObject({ current_version: '1.1.0', update_available: true, download_allowed: false });
    });

    test('on the last moment of the window allows the download', async () => {
      const justInTime = await aBuyer(mount().service, { updates_supported_until: '2026-01-10T00:00:00.000Z' });
      expect((await check(TOOL, '1.0.0', justInTime.key)).body.update.download_allowed).toBe(true);
    });

    test('counts the widest window of several entitlements', async () => {
      const account = await anAccount(mount().service, {
        entitlements: [{ updates_supported_until: '2025-12-31T00:00:00.000Z' }, { updates_supported_until: null }],
      });
      const { value } = await aKey(mount().service, account);
      expect((await check(TOOL, '1.0.0', value)).body.update.download_allowed).toBe(true);
    });

    test('of a product without a release is 404 install_not_available', async () => {
      const owner = await aBuyer(mount().service, { product_id: OTHER });
      const reply = await check(OTHER, '1.0.0', owner.key);
      expect([reply.status, reply.body.error]).toEqual([404, 'install_not_available']);
    });
  });
};
