import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aClient } from '../../support/appcast.ts';
import { readAppcast } from '../../support/read-appcast.ts';
import { offerTo } from '../../support/sparkle-selection.ts';
import { APP, HIDDEN, openAppShop, PAID, SCRIPT } from '../app-shop.ts';
import { aBuyer, aKey } from '../buyers.ts';
import { get, type Reply } from '../client.ts';
import type { Mount, OpenMount } from '../mount.ts';
import { UNKNOWN } from '../shop.ts';

const path = (product: number | string, query = ''): string =>
  `/distribution/v1/products/${product}/appcast.xml${query}`;
const builds = ({ text }: Reply): string[] => readAppcast(text).map(({ version }) => version);

/** Tests the update feed of an application. The suite opens its own shop. */
export const appcastSuite = (open: OpenMount): void => {
  let mount: Mount;

  beforeAll(async () => {
    mount = await open();
    await openAppShop(mount.service);
  });
  afterAll(async () => {
    await mount.close();
    expect(mount.faults).toEqual([]);
  });

  describe('the appcast without a key', () => {
    test('the appcast is RSS, lists the newest build first, and omits releases without a build number', async () => {
      const reply = await get(mount, path(APP));
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/rss+xml; charset=utf-8']);
      expect(builds(reply)).toEqual(['125', '125', '119', '110', '100']);
      expect(reply.text).toContain('<title>Memo &amp; more</title>');
    });

    test('an appcast item has every field that Sparkle needs, and a signature', async () => {
      const items = readAppcast((await get(mount, path(APP))).text);
      expect(items.find(({ version }) => version === '110')).toMatchObject({
        short_version: '1.1',
        channel: null,
        published_at: '2026-01-10T00:00:00.000Z',
        minimum_system_version: '13.0.0',
        critical: { below_version: '100' },
        phased_rollout_interval: 86_400,
        enclosure: {
          url: `${mount.urls.app}/distribution/v1/releases/102/download`,
          type: 'application/zip',
          signature: expect.stringMatching(/^[\w+/]{86}==$/),
        },
        deltas: [{ from_build: '100', url: `${mount.urls.app}/distribution/v1/releases/102/download?delta=100` }],
      });
    });

    test('the appcast escapes release notes that look like markup, and has the notes of each language', async () => {
      const reply = await get(mount, path(APP));
      const notes = readAppcast(reply.text).find(({ version }) => version === '110')?.notes;
      expect(notes).toEqual([
        { locale: 'en', html: '<p>Safe ]]&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; sound</p>' },
        { locale: 'ko', html: '<ul><li>새로움</li></ul>' },
      ]);
      expect(reply.text).not.toContain('<script');
    });

    test('a release without a universal file has one appcast item for each architecture', async () => {
      const items = readAppcast((await get(mount, path(APP))).text).filter(({ version }) => version === '125');
      expect(items.map(({ requires_arm64, enclosure }) => [requires_arm64, new URL(enclosure.url).search])).toEqual([
        [true, '?platform=darwin-arm64'],
        [false, '?platform=darwin-amd64'],
      ]);
    });

    test('the appcast without a key is publicly cacheable, and a client that sends its ETag gets 304', async () => {
      const first = await get(mount, path(APP));
      expect(first.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
      expect(first.headers.get('vary')).toContain('Authorization');
      const etag = first.headers.get('etag') as string;
      expect(etag).toMatch(/^"[\w-]{20,}"$/);
      const again = await get(mount, path(APP), undefined, { 'If-None-Match': etag });
      expect([again.status, again.text]).toEqual([304, '']);
      const other = await get(mount, path(APP, '?channel=beta'), undefined, { 'If-None-Match': etag });
      expect(other.status).toBe(200);
    });

    test('HEAD of the appcast has the headers of GET', async () => {
      const [whole, head] = await Promise.all([
        get(mount, path(APP)),
        fetch(mount.urls.app + path(APP), { method: 'HEAD' }),
      ]);
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control']) {
        expect(head.headers.get(name), name).toBe(whole.headers.get(name));
      }
    });
  });

  describe('the appcast of one channel', () => {
    test.each([
      ['stable', ['110', '100']],
      ['beta', ['119', '110', '100']],
      ['alpha', ['119', '110', '100']],
      ['dev', ['125', '125', '119', '110', '100']],
    ])('the appcast of channel %s has its releases and those of every more stable channel, and names no channel', async (channel, versions) => {
      const reply = await get(mount, path(APP, `?channel=${channel}`));
      expect(builds(reply)).toEqual(versions);
      expect(reply.text).not.toContain('sparkle:channel');
    });

    test('an appcast request that names no channel gets all channels, and other query parameters are ignored', async () => {
      const whole = await get(mount, path(APP));
      for (const query of ['?channel=', '?osVersion=26.1&cputype=7&lang=en&appName=Memo&channel[]=beta', '?key=x']) {
        expect((await get(mount, path(APP, query))).text).toBe(whole.text);
      }
    });

    test.each([
      'nightly',
      'STABLE',
      'x'.repeat(65),
    ])('an appcast request for the channel %j is 422 and names the channels', async (channel) => {
      const reply = await get(mount, path(APP, `?channel=${channel}`));
      expect([reply.status, reply.body.errors]).toEqual([
        422,
        { channel: ['The channel field must be one of stable, beta, alpha, dev.'] },
      ]);
    });

    test.each([
      [[], '26.1.0', 'arm64', '110'],
      [['beta'], '26.1.0', 'arm64', '119'],
      [['dev'], '26.1.0', 'arm64', '125'],
      [['beta', 'dev'], '12.0', 'x86_64', '125'],
      [[], '12.7', 'arm64', undefined],
    ] as const)('the combined appcast offers a client of channels %j on macOS %s (%s) the build %s', async (channels, system, processor, to) => {
      const items = readAppcast((await get(mount, path(APP))).text);
      const client = aClient({ version: '100', system_version: system, architecture: processor, channels });
      expect(offerTo(items, client)?.item.version).toBe(to);
    });
  });

  describe('the appcast with a key', () => {
    test('the appcast of a public application is the same with an owner’s key, and is privately cacheable', async () => {
      const { key } = await aBuyer(mount.service, { product_id: APP });
      const reply = await get(mount, path(APP), key);
      expect(reply.text).toBe((await get(mount, path(APP))).text);
      expect(reply.headers.get('cache-control')).toBe('private, no-cache');
    });

    test('an appcast request with an invalid key is 401, even for a product that needs no key', async () => {
      for (const bad of ['nonsense', `svc_${'a'.repeat(38)}`]) {
        const reply = await get(mount, path(APP), bad);
        expect([reply.status, reply.body.error]).toEqual([401, 'invalid_api_key']);
      }
    });

    test('an appcast request with a key without device.install is 403, whether or not the product exists', async () => {
      const { account } = await aBuyer(mount.service, { product_id: APP });
      const { value } = await aKey(mount.service, account, { abilities: ['products.read'] });
      for (const product of [APP, UNKNOWN]) {
        const reply = await get(mount, path(product), value);
        expect([reply.status, reply.body.error]).toEqual([403, 'missing_api_key_ability']);
      }
    });
  });

  describe('the appcast of a product for owners', () => {
    test('the appcast of a product for owners is 401 without a key', async () => {
      const reply = await get(mount, path(PAID));
      expect([reply.status, reply.body.error]).toEqual([401, 'missing_api_key']);
      expect(reply.headers.get('www-authenticate')).toContain('Bearer');
    });

    test('the appcast of a product for owners has a separate ticket in each download link, and no key', async () => {
      const { key } = await aBuyer(mount.service, { product_id: PAID });
      const reply = await get(mount, path(PAID), key);
      expect(reply.headers.get('cache-control')).toBe('private, no-cache');
      const urls = readAppcast(reply.text).map(({ enclosure }) => new URL(enclosure.url));
      const tickets = urls.map(({ searchParams }) => searchParams.get('ticket'));
      expect(new Set(tickets).size).toBe(2);
      for (const ticket of tickets) expect(ticket).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
      expect(reply.text).not.toContain('svc_');
    });
  });

  describe('the appcast of a missing product', () => {
    test.each([
      HIDDEN,
      SCRIPT,
      UNKNOWN,
      'x',
      '%00',
    ])('the appcast of the missing or hidden product %s is 404 without a key', async (product) => {
      const reply = await get(mount, path(product));
      expect([reply.status, reply.body]).toEqual([404, { message: expect.any(String) }]);
    });
  });
};
