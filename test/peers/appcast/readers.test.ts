import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FilesystemStoreFiles } from '../../../adapters/filesystem/store-files.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { readStore, STORE_DIR } from '../../../examples/store/build.ts';
import { opensslVerifies } from '../../support/openssl.ts';
import { readAppcast } from '../../support/read-appcast.ts';
import { openAppShop, PAID } from '../../surface/app-shop.ts';
import { aBuyer, aKey } from '../../surface/buyers.ts';
import { IN_MEMORY, openExpressMount } from '../../surface/express-mount.ts';
import type { Mount } from '../../surface/mount.ts';

/** Debian's Python, which includes Debian's feedparser. */
const PYTHON = '/usr/bin/python3';
const SPARKLE = 'http://www.andymatuschak.org/xml-namespaces/sparkle';

type Feed = {
  readonly name: string;
  readonly open: () => Mount;
  readonly product: number;
  readonly query?: string;
  readonly key?: () => string;
};

let shop: Mount;
let sample: Mount;
let paying: string;
let demo: string;

beforeAll(async () => {
  shop = await openExpressMount(IN_MEMORY);
  await openAppShop(shop.service);
  paying = (await aBuyer(shop.service, { product_id: PAID })).key;
  sample = await openExpressMount(IN_MEMORY);
  const files = new FilesystemStoreFiles(STORE_DIR);
  const imported = await sample.service.get('importStore')(grantPermit(), { document: await readStore(), files });
  expect(imported.ok).toBe(true);
  const account = await sample.service.get('accounts').findByEmail('demo@example.com');
  demo = (await aKey(sample.service, account?.id as number)).value;
});
afterAll(async () => {
  await shop.close();
  await sample.close();
});

const FEEDS: readonly Feed[] = [
  { name: 'of every channel, with hostile notes', open: () => shop, product: 1 },
  { name: 'of one channel', open: () => shop, product: 1, query: '?channel=beta' },
  { name: 'with tickets', open: () => shop, product: PAID, key: () => paying },
  { name: 'of the sample’s Pocket Memo', open: () => sample, product: 3 },
  { name: 'of the sample’s Pocket Memo on dev', open: () => sample, product: 3, query: '?channel=dev' },
  { name: 'of the sample’s Focus Timer', open: () => sample, product: 7, key: () => demo },
];

const fetchFeed = async ({ open, product, query = '', key }: Feed): Promise<string> => {
  const url = `${open().urls.app}/distribution/v1/products/${product}/appcast.xml${query}`;
  const response = await fetch(url, { headers: key ? { authorization: `Bearer ${key()}` } : {} });
  expect(response.status).toBe(200);
  return response.text();
};

const run = (command: string, args: readonly string[], input: string): string => {
  const { error, status, stdout, stderr } = spawnSync(command, args, { input, encoding: 'utf8' });
  if (error) throw error;
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
};

describe.each(FEEDS)('the appcast of $name', (feed) => {
  let xml: string;
  beforeAll(async () => {
    xml = await fetchFeed(feed);
  });

  test('xmllint reads the appcast element by element', () => {
    run('xmllint', ['--noout', '--nonet', '-'], xml);
    const value = (xpath: string): string => run('xmllint', ['--nonet', '--xpath', xpath, '-'], xml).trim();
    const items = readAppcast(xml);
    const sparkle = (name: string): string => `*[local-name()="${name}" and namespace-uri()="${SPARKLE}"]`;
    expect(value('count(/rss[@version="2.0"]/channel/item)')).toBe(String(items.length));
    expect(items.length).toBeGreaterThan(1);
    for (const [n, item] of items.entries()) {
      const at = `/rss/channel/item[${n + 1}]`;
      expect(value(`string(${at}/${sparkle('version')})`)).toBe(item.version);
      expect(value(`string(${at}/enclosure/@url)`)).toBe(item.enclosure.url);
      expect(value(`string(${at}/enclosure/@*[local-name()="edSignature"])`)).toBe(item.enclosure.signature);
      expect(value(`count(${at}/${sparkle('channel')})`)).toBe(item.channel === null ? '0' : '1');
      for (const { locale, html } of item.notes) {
        expect(value(`string(${at}/description[@xml:lang="${locale}"])`)).toBe(html);
      }
    }
  });

  test('feedparser reads the appcast without complaints', () => {
    const read = JSON.parse(run(PYTHON, [join(import.meta.dirname, 'read_feed.py')], xml));
    expect(read).toMatchObject({ bozo: false, why: '', version: 'rss20', namespaces: { sparkle: SPARKLE } });
    expect(read.title).not.toBe('');
    expect(read.items).toEqual(
      readAppcast(xml).map((item) => ({
        build: item.version,
        version: item.short_version,
        channel: item.channel,
        published: item.published_at.split(/\D/).slice(0, 6).map(Number),
        enclosures: expect.arrayContaining([
          expect.objectContaining({
            href: item.enclosure.url,
            length: String(item.enclosure.length),
            type: 'application/zip',
          }),
        ]),
        summary: item.notes.length === 0 ? null : expect.not.stringContaining('<script'),
      })),
    );
  });

  test('the appcast leads without a header to files whose signatures OpenSSL verifies with SUPublicEDKey', async () => {
    const key = await feed.open().service.get('artifactSigner').publicKey();
    const files = readAppcast(xml).flatMap(({ enclosure, deltas }) => [enclosure, ...deltas]);
    for (const { url, length, signature } of files) {
      const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
      expect(bytes.length).toBe(length);
      expect(opensslVerifies(key, bytes, signature as string)).toBe(true);
      bytes[0] = (bytes[0] as number) ^ 1;
      expect(opensslVerifies(key, bytes, signature as string)).toBe(false);
    }
  });
});
