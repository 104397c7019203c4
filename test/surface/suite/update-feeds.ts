import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { aBuyer, aKey, aStranger } from '../buyers.ts';
import { get, type Reply } from '../client.ts';
import type { Mount, OpenMount } from '../mount.ts';
import { DESK, fileOf, OWNED, openUpdateShop, PLAIN, SIGNATURE } from '../update-shop.ts';

const folder = (product: number): string => `/distribution/v1/products/${product}/updates/`;
const tauri = (product: number, rest: string): string => `/distribution/v1/products/${product}/tauri/${rest}`;

/** Tests the feeds of updaters other than Sparkle. The suite opens its own shop. */
export const updateFeedsSuite = (open: OpenMount): void => {
  let mount: Mount;
  let owner: string;

  beforeAll(async () => {
    mount = await open();
    await openUpdateShop(mount.service);
    owner = (await aBuyer(mount.service, { product_id: OWNED })).key;
  });
  afterAll(async () => {
    await mount.close();
    expect(mount.faults).toEqual([]);
  });

  const feed = (file: string, product = DESK, key?: string): Promise<Reply> => get(mount, folder(product) + file, key);

  /** The bytes behind a URL in a feed, which is relative to the feed. */
  const bytesOf = async (url: string, product = DESK, headers: Record<string, string> = {}) => {
    const response = await fetch(new URL(url, mount.urls.app + folder(product)), { headers });
    return { status: response.status, text: await response.text() };
  };

  describe('the feeds of electron-updater', () => {
    test.each([
      ['latest.yml', '1.1.0', ['Desk Setup 1.1.0.exe', 'Desk Setup 1.1.0 arm64.exe']],
      ['latest-mac.yml', '1.1.0', ['Desk-1.1.0-mac.zip', 'Desk-1.1.0-arm64-mac.zip']],
      ['latest-linux-arm64.yml', '1.1.0', ['Desk-1.1.0-arm64.AppImage']],
      ['dev-linux-arm64.yml', '1.1.0', ['Desk-1.1.0-arm64.AppImage']],
    ])('the feed %s has version %s with the files %j, whose bytes match their size and SHA-512', async (file, version, names) => {
      const { status, body } = await feed(file);
      expect([status, body.version, body.path]).toEqual([200, version, body.files[0].url]);
      expect(body.files.map(({ url }: { url: string }) => decodeURIComponent(url.split('?')[0] ?? ''))).toEqual(names);
      for (const [n, { url, sha512, size }] of body.files.entries()) {
        const { text } = await bytesOf(url);
        expect(text).toBe(fileOf(names[n] as string));
        expect([hash('sha512', text, 'base64'), text.length]).toEqual([sha512, size]);
      }
    });

    test('a feed of a less stable channel waits for the file of each processor that the channel serves', async () => {
      expect((await feed('beta.yml')).body.version).toBe('1.1.0');
    });

    test('a system without a file and an unknown feed or file name are 404 with a message', async () => {
      const none = await feed('latest-linux.yml');
      expect([none.status, none.body.error]).toEqual([404, 'install_not_available']);
      expect(none.body.message).toContain('latest-linux.yml');
      for (const file of ['stable.yml', 'Desk%20Setup%209.exe', '..%2Flatest.yml']) {
        expect((await feed(file)).status).toBe(404);
      }
    });

    test('a public feed is publicly cacheable, and a client that sends its ETag gets 304', async () => {
      const first = await feed('latest.yml');
      expect(first.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
      const etag = first.headers.get('etag') as string;
      const again = await get(mount, `${folder(DESK)}latest.yml?noCache=1`, undefined, { 'If-None-Match': etag });
      expect([again.status, again.text]).toEqual([304, '']);
    });
  });

  test('the Velopack feed has the package with its checksums, and the package is beside it', async () => {
    const { status, body } = await feed('releases.linux.json?localVersion=1.0.0&id=Desk&stagingId=1');
    const bytes = fileOf('Desk-1.1.0-full.nupkg');
    expect([status, body.Assets]).toEqual([
      200,
      [
        {
          PackageId: 'Desk',
          Version: '1.1.0',
          Type: 'Full',
          FileName: 'Desk-1.1.0-full.nupkg',
          SHA1: hash('sha1', bytes).toUpperCase(),
          SHA256: hash('sha256', bytes).toUpperCase(),
          Size: bytes.length,
          NotesMarkdown: '',
        },
      ],
    ]);
    expect((await bytesOf(body.Assets[0].FileName)).text).toBe(bytes);
    expect((await feed('releases.win.json')).body).toEqual({ Assets: [] });
  });

  describe('the update of Tauri', () => {
    test('the update has the signature and a URL of the file', async () => {
      const { status, body } = await get(mount, tauri(DESK, 'windows/x86_64/1.0.0'));
      expect([status, body]).toEqual([
        200,
        {
          version: '1.1.0',
          url: expect.stringContaining(mount.urls.app),
          signature: SIGNATURE,
          notes: null,
          pub_date: '2026-01-10T00:00:00.000Z',
        },
      ]);
      expect((await bytesOf(body.url)).text).toBe(fileOf('Desk Setup 1.1.0.exe'));
    });

    test.each([
      'windows/x86_64/1.1.0',
      'windows/aarch64/1.0.0',
      'linux/armv7/1.0.0',
    ])('a client that requests %s has no update, which is 204 without a body', async (client) => {
      const reply = await get(mount, tauri(DESK, client));
      expect([reply.status, reply.text, reply.headers.get('content-type')]).toEqual([204, '', null]);
    });
  });

  describe('the feeds of a product for its owners', () => {
    test.each([
      ['latest.yml', () => `${folder(OWNED)}latest.yml`],
      ['the update of Tauri', () => tauri(OWNED, 'windows/x86_64/1.0.0')],
      ['a file', () => `${folder(OWNED)}Desk-1.1.0-full.nupkg`],
    ])('the feed %s needs the key of an owner', async (_, path) => {
      const stranger = (await aStranger(mount.service)).key;
      const answers = [await get(mount, path()), await get(mount, path(), stranger), await get(mount, path(), 'none')];
      expect(answers.map(({ status }) => status)).toEqual([401, 403, 401]);
    });

    test('the links of an owner’s feed work without a header and end with the key', async () => {
      const { key, value } = await aKey(mount.service, (await aBuyer(mount.service, { product_id: OWNED })).account);
      const electron = await feed('latest.yml', OWNED, value);
      expect(electron.headers.get('cache-control')).toBe('private, no-cache');
      const update = await get(mount, tauri(OWNED, 'windows/x86_64/1.0.0'), value);
      const links = [electron.body.path, update.body.url];
      for (const link of links) expect((await bytesOf(link, OWNED)).text).toBe(fileOf('Desk Setup 1.1.0.exe'));
      await mount.service.get('revokeApiKey')(grantPermit(), { key_id: key.id });
      for (const link of links) expect((await bytesOf(link, OWNED)).status).toBe(401);
    });

    test('the package of an owner’s Velopack feed is downloaded with the key', async () => {
      const { FileName } = (await feed('releases.linux.json', OWNED, owner)).body.Assets[0];
      const headers = { authorization: `Bearer ${owner}` };
      expect((await bytesOf(FileName, OWNED, headers)).text).toBe(fileOf('Desk-1.1.0-full.nupkg'));
      expect((await bytesOf(FileName, OWNED)).status).toBe(401);
    });
  });

  test('a product without update feeds has none, and its files stay private, whatever access it sets', async () => {
    const { key } = await aBuyer(mount.service, { product_id: PLAIN });
    expect((await feed('latest.yml', PLAIN, key)).status).toBe(404);
    expect((await get(mount, tauri(PLAIN, 'windows/x86_64/1.0.0'), key)).status).toBe(404);
    expect((await feed('Desk-1.1.0-full.nupkg', PLAIN)).status).toBe(401);
  });

  test('a withdrawn release leaves every feed, and its files are refused with the reason', async () => {
    const change = { kind: 'withdraw', reason: 'It deletes files' } as const;
    const old = (await feed('latest.yml')).body.path;
    const done = await mount.service.get('changeRelease')(grantPermit(), { product: 'desk', version: '1.1.0', change });
    expect(done.ok).toBe(true);
    await expect.poll(async () => (await feed('latest.yml')).body.version).toBe('1.0.0');
    expect((await feed('releases.linux.json')).body).toEqual({ Assets: [] });
    const tauriReply = await get(mount, tauri(DESK, 'windows/x86_64/1.0.0'));
    expect([tauriReply.status, tauriReply.body.message]).toEqual([404, expect.stringContaining('--updater-signature')]);
    const refused = await bytesOf(old);
    expect([refused.status, refused.text]).toEqual([404, expect.stringContaining('It deletes files')]);
  });
};
