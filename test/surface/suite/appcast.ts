import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { offerTo } from '../../../domain/delivery/sparkle-selection.ts';
import { aClient } from '../../support/appcast.ts';
import { readAppcast } from '../../support/read-appcast.ts';
import { APP, GONE, HIDDEN, openAppShop, PAID, SCRIPT } from '../app-shop.ts';
import { aBuyer, aKey, aStranger } from '../buyers.ts';
import { get, type Reply } from '../client.ts';
import type { Mount, OpenMount } from '../mount.ts';
import { UNKNOWN } from '../shop.ts';

const path = (product: number | string, query = ''): string =>
  `/distribution/v1/products/${product}/appcast.xml${query}`;
const builds = ({ text }: Reply): string[] => readAppcast(text).map(({ version }) => version);

/** The update feed of an application, on a shop of its own. */
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

  describe('of everybody', () => {
    test('is RSS, newest first, and leaves out what has no build number', async () => {
      const reply = await get(mount, path(APP));
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/rss+xml; charset=utf-8']);
      expect(builds(reply)).toEqual(['125', '125', '119', '110', '100']);
      expect(reply.text).toContain('<title>Memo &amp; more</title>');
    });

    test('says of each item what Sparkle needs, and that it is signed', async () => {
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

    test('shows notes that look like markup as they are written, in each language', async () => {
      const reply = await get(mount, path(APP));
      const notes = readAppcast(reply.text).find(({ version }) => version === '110')?.notes;
      expect(notes).toEqual([
        { locale: 'en', html: '<p>Safe ]]&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; sound</p>' },
        { locale: 'ko', html: '<ul><li>새로움</li></ul>' },
      ]);
      expect(reply.text).not.toContain('<script');
    });

    test('has one item for each architecture where there is no file for both', async () => {
      const items = readAppcast((await get(mount, path(APP))).text).filter(({ version }) => version === '125');
      expect(items.map(({ requires_arm64, enclosure }) => [requires_arm64, new URL(enclosure.url).search])).toEqual([
        [true, '?platform=darwin-arm64'],
        [false, '?platform=darwin-amd64'],
      ]);
    });

    test('may be kept by everybody for a moment, and is 304 for whoever has it', async () => {
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

    test('has the headers of GET for HEAD', async () => {
      const [whole, head] = await Promise.all([
        get(mount, path(APP)),
        fetch(mount.urls.app + path(APP), { method: 'HEAD' }),
      ]);
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control']) {
        expect(head.headers.get(name), name).toBe(whole.headers.get(name));
      }
    });
  });

  describe('of one channel', () => {
    test.each([
      ['stable', ['110', '100']],
      ['beta', ['119', '110', '100']],
      ['dev', ['125', '125', '110', '100']],
      ['nightly', ['110', '100']],
    ])('%s has its releases and the stable ones, and names no channel', async (channel, versions) => {
      const reply = await get(mount, path(APP, `?channel=${channel}`));
      expect(builds(reply)).toEqual(versions);
      expect(reply.text).not.toContain('sparkle:channel');
    });

    test('is that of all of them where none is named, whatever else Sparkle tells of its Mac', async () => {
      const whole = await get(mount, path(APP));
      for (const query of ['?channel=', '?osVersion=26.1&cputype=7&lang=en&appName=Memo&channel[]=beta', '?key=x']) {
        expect((await get(mount, path(APP, query))).text).toBe(whole.text);
      }
    });

    test('is 422 where its name is longer than any', async () => {
      expect((await get(mount, path(APP, `?channel=${'x'.repeat(65)}`))).status).toBe(422);
    });

    test.each([
      [[], '26.1.0', 'arm64', '110'],
      [['beta'], '26.1.0', 'arm64', '119'],
      [['dev'], '26.1.0', 'arm64', '125'],
      [['beta', 'dev'], '12.0', 'x86_64', '125'],
      [[], '12.7', 'arm64', undefined],
    ] as const)('leads a client of %j on macOS %s (%s) from the combined feed to %s', async (channels, system, processor, to) => {
      const items = readAppcast((await get(mount, path(APP))).text);
      const client = aClient({ version: '100', system_version: system, architecture: processor, channels });
      expect(offerTo(items, client)?.item.version).toBe(to);
    });
  });

  describe('with a key', () => {
    test('has what the account may use, by links that carry no key', async () => {
      const { key } = await aBuyer(mount.service, { product_id: APP });
      const reply = await get(mount, path(APP), key);
      expect(reply.text).toBe((await get(mount, path(APP))).text);
      expect(reply.headers.get('cache-control')).toBe('private, no-cache');
    });

    test('ends where the account’s update window does', async () => {
      const until = { updates_supported_until: '2026-01-31T00:00:00.000Z' };
      const { key } = await aBuyer(mount.service, { product_id: APP, ...until });
      expect(builds(await get(mount, path(APP), key))).toEqual(['110', '100']);
    });

    test('that is none is refused, also where none is needed', async () => {
      for (const bad of ['nonsense', `svc_${'a'.repeat(38)}`]) {
        const reply = await get(mount, path(APP), bad);
        expect([reply.status, reply.body.error]).toEqual([401, 'invalid_api_key']);
      }
    });

    test('without device.install is 403, whether or not there is such a product', async () => {
      const { account } = await aBuyer(mount.service, { product_id: APP });
      const { value } = await aKey(mount.service, account, { abilities: ['products.read'] });
      for (const product of [APP, UNKNOWN]) {
        const reply = await get(mount, path(product), value);
        expect([reply.status, reply.body.error]).toEqual([403, 'missing_api_key_ability']);
      }
    });

    test('of an account that doesn’t own it is 403, also where none is needed', async () => {
      const { key } = await aStranger(mount.service);
      for (const product of [APP, PAID]) {
        const reply = await get(mount, path(product), key);
        expect([reply.status, reply.body.error]).toEqual([403, 'product_entitlement_required']);
      }
    });

    test('of an account whose purchase was taken back, or whose access is over, is 403', async () => {
      for (const end of [
        { revoked_at: '2026-01-01T00:00:00.000Z' },
        { access_expires_at: '2026-01-01T00:00:00.000Z' },
      ]) {
        const { key } = await aBuyer(mount.service, { product_id: PAID, ...end });
        expect((await get(mount, path(PAID), key)).status).toBe(403);
      }
    });

    test('bound to another product is 403, whether or not there is such a product', async () => {
      const { key } = await aBuyer(mount.service, { product_id: APP }, { product_id: APP });
      expect((await get(mount, path(APP), key)).status).toBe(200);
      for (const product of [PAID, HIDDEN, UNKNOWN]) {
        const reply = await get(mount, path(product), key);
        expect([reply.status, reply.body.error]).toEqual([403, 'product_api_key_scope_required']);
      }
    });
  });

  describe('that is for owners', () => {
    test('is 401 without a key, and nothing is kept of that', async () => {
      const reply = await get(mount, path(PAID));
      expect([reply.status, reply.body.error]).toEqual([401, 'missing_api_key']);
      expect(reply.headers.get('www-authenticate')).toContain('Bearer');
    });

    test('has links with a ticket of their own for each release, and no key', async () => {
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

  describe('that isn’t there', () => {
    test.each([
      HIDDEN,
      GONE,
      SCRIPT,
      UNKNOWN,
      0,
      -1,
      'x',
      '1.5',
      '9'.repeat(17),
      '01',
      '%00',
    ])('of product %s is 404 without a key', async (product) => {
      const reply = await get(mount, path(product));
      expect([reply.status, reply.body]).toEqual([404, { message: expect.any(String) }]);
    });

    test('is the same to a stranger as none, and there for its owner', async () => {
      const stranger = await aStranger(mount.service);
      const unknown = await get(mount, path(UNKNOWN), stranger.key);
      for (const product of [HIDDEN, GONE]) {
        const hidden = await get(mount, path(product), stranger.key);
        expect([hidden.status, hidden.text]).toEqual([404, unknown.text]);
        const { key } = await aBuyer(mount.service, { product_id: product });
        expect(builds(await get(mount, path(product), key))).toEqual(['1']);
      }
    });
  });
};
