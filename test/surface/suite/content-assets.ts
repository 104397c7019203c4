import { beforeAll, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { aBuyer } from '../buyers.ts';
import { get, send } from '../client.ts';
import type { Mount } from '../mount.ts';
import { pathSeen, sendRaw } from '../raw.ts';
import { GUIDE, HERO, NOTES, OTHER, sha256, TOOL } from '../shop.ts';

const ASSETS = `/api/products/${TOOL}/content-assets`;

/** Paths that lead outside the assets, or name no asset. Each one is sent exactly as written here. */
const ELSEWHERE = [
  '../content-assets/docs/guide.md',
  '..',
  '../..',
  '../../../../../../etc/passwd',
  'docs/../docs/guide.md',
  'docs/./guide.md',
  './docs/guide.md',
  '%2e%2e/content-assets/docs/guide.md',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '..%2fdocs%2fguide.md',
  'docs%2f..%2fdocs%2fguide.md',
  '%252e%252e%252fetc%252fpasswd',
  'docs%252fguide.md',
  '..\\..\\etc\\passwd',
  '..%5c..%5cetc%5cpasswd',
  'docs\\guide.md',
  'docs%5cguide.md',
  'docs/guide.md%00',
  'docs/guide.md%00.png',
  '%00',
  '/docs/guide.md',
  '//etc/passwd',
  '%2fetc%2fpasswd',
  'docs//guide.md',
  'docs/guide.md/',
  'docs/guide.md/..',
  'docs/',
  'docs',
  'DOCS/guide.md',
  'docs/guide.md%20',
  'docs/guide.md.',
  'file:///etc/passwd',
  '%c0%ae%c0%ae/etc/passwd',
  '%ff',
  '%',
  '%zz',
  '__proto__',
  'constructor',
  'images/hero+image.svg',
  `${'a/'.repeat(2000)}a`,
];

export const contentAssetsSuite = (mount: () => Mount): void => {
  let key: string;

  beforeAll(async () => {
    ({ key } = await aBuyer(mount().service));
  });

  test('the list of content assets has the download URL of each', async () => {
    const { assets } = (await get(mount(), ASSETS, key)).body;
    const url = `${mount().urls.api}${ASSETS}`;
    expect(assets).toEqual([
      {
        path: 'docs/guide.md',
        content_type: 'text/markdown',
        size: GUIDE.length,
        sha256: sha256(GUIDE),
        download_url: `${url}/docs/guide.md`,
      },
      {
        path: 'images/hero image.svg',
        content_type: 'image/svg+xml',
        size: HERO.length,
        sha256: sha256(HERO),
        download_url: `${url}/images/hero%20image.svg`,
      },
    ]);
  });

  test('a content asset is downloaded from its listed address and matches its listed SHA-256', async () => {
    const { assets } = (await get(mount(), ASSETS, key)).body;
    for (const { download_url, sha256: sum } of assets) {
      const reply = await get(mount(), download_url.slice(mount().urls.api.length), key);
      expect([reply.status, sha256(reply.text)]).toEqual([200, sum]);
    }
  });

  test('a content asset is sent as an attachment that no browser renders', async () => {
    const { headers } = await get(mount(), `${ASSETS}/images/hero%20image.svg`, key);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toBe('attachment; filename="hero image.svg"');
    expect(headers.get('etag')).toMatch(/^"[^"]+"$/);
  });

  test('a content asset is found by a path with an encoded slash', async () => {
    expect((await get(mount(), `${ASSETS}/docs%2fguide.md`, key)).text).toBe(GUIDE);
  });

  describe('the pictures of product HTML', () => {
    const sources = (html: string): string[] =>
      [...html.matchAll(/<img [^>]*src="([^"]+)"/g)].map(([, src = '']) => src.replaceAll('&amp;', '&'));
    const expectPicture = async (url: string) => {
      const response = await fetch(url);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
      expect(await response.text()).toBe(HERO);
    };

    test('a picture of a detail page loads without a key, and another file keeps its URL', async () => {
      const owner = await aBuyer(mount().service, { product_id: NOTES });
      const root = `/api/products/${NOTES}/content-assets`;
      const html = `<img src="${root}/images/hero%20image.svg" alt="A" /><img src="${root}/docs/guide.md" />`;
      const { service } = mount();
      const content = await service.get('catalogs').content(TOOL);
      if (!content) throw new Error('The shop has no content of the tool.');
      const value = { ...content, product_id: NOTES, detail_html: { en: html } };
      await service.get('catalogEditor').save(grantPermit(), { kind: 'content', value });
      const shown = async () => (await get(mount(), `/api/products/${NOTES}/detail`, owner.key)).body.detail_html;
      const [picture = '', guide] = sources(await shown());
      await expectPicture(picture);
      expect(guide).toBe(`${root}/docs/guide.md`);
      expect(picture).not.toContain(owner.key);
    });

    test('the picture of a thumbnail in the library loads without a key', async () => {
      const { items } = (await get(mount(), '/api/library', key)).body;
      const [foreign, picture = ''] = sources(items[0].thumbnail_html);
      expect(foreign).toBe('/x.png');
      await expectPicture(picture);
    });
  });

  test('a product without content has an empty list of assets', async () => {
    const owner = await aBuyer(mount().service, { product_id: OTHER });
    expect((await get(mount(), `/api/products/${OTHER}/content-assets`, owner.key)).body).toEqual({ assets: [] });
    expect((await get(mount(), `/api/products/${OTHER}/content-assets/docs/guide.md`, owner.key)).status).toBe(404);
  });

  test('a content asset supports conditional requests, ranges and HEAD', async () => {
    const path = `${ASSETS}/docs/guide.md`;
    const whole = await get(mount(), path, key);
    const etag = whole.headers.get('etag') as string;
    expect((await get(mount(), path, key, { 'If-None-Match': etag })).status).toBe(304);
    const part = await get(mount(), path, key, { range: 'bytes=2-6' });
    expect([part.status, part.text]).toEqual([206, 'Guide']);
    expect((await get(mount(), path, key, { range: 'bytes=99-' })).status).toBe(416);
    expect((await send(mount(), 'HEAD', path, { key })).headers.get('content-length')).toBe(String(GUIDE.length));
  });

  describe('a path outside the content assets', () => {
    test.each(ELSEWHERE)('the content asset path %s is 404', async (path) => {
      const headers = { authorization: `Bearer ${key}` };
      const sent = `${ASSETS}/${path}`;
      const seen = pathSeen(mount(), sent);
      const reply = await sendRaw(mount(), { path: sent, headers });
      if (seen !== sent) return expect(reply.status).toBe((await sendRaw(mount(), { path: seen, headers })).status);
      expect(reply.status).toBe(404);
      expect(reply.body).toEqual({ message: expect.any(String) });
    });

    test('a path outside the content assets is 401 without a key and 403 without an entitlement', async () => {
      const stranger = await aBuyer(mount().service, { product_id: OTHER });
      const path = `${ASSETS}/..%2f..%2fetc%2fpasswd`;
      const headers = { authorization: `Bearer ${stranger.key}` };
      expect((await sendRaw(mount(), { path })).status).toBe(401);
      expect((await sendRaw(mount(), { path, headers })).status).toBe(403);
    });
  });

  describe('the stylesheet of the product content', () => {
    const path = '/api/product-content.css';

    test('the stylesheet is CSS that loads nothing from another host', async () => {
      const { status, headers, text } = await get(mount(), path, key);
      expect([status, headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
      expect(text).toContain('.product-content');
      expect(text).not.toMatch(/@import|url\(|https?:/);
    });

    test('a stylesheet request with the current ETag is 304', async () => {
      const etag = (await get(mount(), path, key)).headers.get('etag') as string;
      const again = await get(mount(), path, key, { 'If-None-Match': etag });
      expect([again.status, again.text]).toEqual([304, '']);
    });
  });
};
