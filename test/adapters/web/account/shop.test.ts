import { afterEach, describe, expect, test } from 'vitest';
import type { Storefront } from '../../../../domain/catalog/catalog.ts';
import { aBuyersService, openPages, type PagesServer } from '../../../support/account-pages.ts';
import { aDisclosure } from '../../../support/public-builders.ts';

const STOREFRONT: Storefront = {
  product_url: null,
  product_detail_url: null,
  name: 'Quiet Desk',
  logo_url: 'https://cdn.shop.example/logo;a.svg?v=2',
  accent: '#0f6b5c',
  links: {
    site: { en: 'https://shop.example' },
    terms: { en: 'https://shop.example/terms', ko: 'https://shop.example/ko' },
  },
};

describe('the storefront on account pages', () => {
  let server: PagesServer;

  afterEach(() => server.close());

  test('every page has the shop’s name, logo, colors and links, and its policy allows only the logo', async () => {
    const opened = await openPages(await aBuyersService({ storefront: STOREFRONT }));
    ({ server } = opened);
    const { body, headers } = await opened.browser.get('/library?lang=ko');
    expect(body).toMatch(/<title>.+ · Quiet Desk<\/title>/);
    expect(body).toContain('<img src="https://cdn.shop.example/logo;a.svg?v=2" alt=""');
    expect(body).toContain('<a href="https://shop.example/ko">이용약관</a>');
    expect(body).toContain('<a href="https://shop.example">스토어로 돌아가기</a>');
    expect(headers.get('content-security-policy')).toContain("img-src 'self' https://cdn.shop.example/logo%3Ba.svg;");
    const style = /href="(\/assets\/[^"]+\.css)"/.exec(body)?.[1] ?? '';
    const sheet = await fetch(server.url + style);
    const css = await sheet.text();
    expect(css).toContain(':root { --accent: light-dark(#0f6b5c, ');
    expect(css).not.toMatch(/https?:|@import|url\(/);
    expect(sheet.headers.get('cache-control')).toContain('immutable');
    expect((await fetch(server.url + style.replace('0f6b5c', 'red;}x'))).status).toBe(404);
  });

  test('an uploaded logo is served by the host to everybody, only as an image', async () => {
    const logo_url = 'data:image/png;base64,iVBORw0KGgo=';
    const opened = await openPages(await aBuyersService({ storefront: { ...STOREFRONT, logo_url } }));
    ({ server } = opened);
    const { body, headers } = await opened.browser.get('/library');
    expect(body).toContain('<img src="/assets/logo" alt=""');
    expect(body).not.toContain('data:');
    expect(headers.get('content-security-policy')).toContain("img-src 'self';");
    const logo = await fetch(`${server.url}/assets/logo`);
    expect([logo.status, logo.headers.get('content-type'), logo.headers.get('x-content-type-options')]).toEqual([
      200,
      'image/png',
      'nosniff',
    ]);
    expect(Buffer.from(await logo.arrayBuffer()).toString('base64')).toBe('iVBORw0KGgo=');
    expect((await fetch(`${server.url}/assets/logo-dark`)).status).toBe(404);
  });

  test.each([
    [true, 'alt="Quiet Desk" class="plate"></picture></a>'],
    [undefined, 'alt="" class="plate"></picture><span>Quiet Desk</span></a>'],
  ])('a logo that contains the name (%s) stands alone and has the name as its text', async (has, html) => {
    const opened = await openPages(await aBuyersService({ storefront: { ...STOREFRONT, logo_has_name: has } }));
    ({ server } = opened);
    expect((await opened.browser.get('/library')).body).toContain(html);
  });

  test.each([
    [undefined, 'de-AT,de;q=0.9', '', 'en', ['en', 'ko']],
    [['en', 'de'], 'de-AT,de;q=0.9', '', 'de', ['en', 'de']],
    [['de', 'en'], undefined, '', 'de', ['de', 'en']],
    [['de', 'en'], 'ko', '?lang=ko', 'de', ['de', 'en']],
    [['en', 'de'], 'en', '?lang=de', 'de', ['en', 'de']],
    [['de'], 'en', '?lang=en', 'de', []],
  ] as const)('a shop that offers %j answers %j%s in %s, and links to its languages', async (...row) => {
    const [languages, accepted, query, language, linked] = row;
    const opened = await openPages(await aBuyersService({ storefront: { ...STOREFRONT, languages } }));
    ({ server } = opened);
    const headers = accepted === undefined ? {} : { 'accept-language': accepted };
    const answer = await fetch(`${server.url}/sign-in${query}`, { headers });
    const body = await answer.text();
    expect(answer.headers.get('content-language')).toBe(language);
    expect(body).toContain(`<html lang="${language}">`);
    expect(body).toContain(`<h1>${{ en: 'Sign in', de: 'Anmelden' }[language]}</h1>`);
    const foot = body.slice(body.indexOf('<footer'));
    expect([...foot.matchAll(/ lang="(\w+)"/g)].map(([, one]) => one)).toEqual(linked);
  });

  test('the style sheet of the pages has at most 15 KB', async () => {
    const opened = await openPages(await aBuyersService());
    ({ server } = opened);
    const style = /href="(\/assets\/[^"]+\.css)"/.exec((await opened.browser.get('/library')).body)?.[1] ?? '';
    expect((await (await fetch(server.url + style)).arrayBuffer()).byteLength).toBeLessThanOrEqual(15 * 1024);
  });

  test('a shop without its own about page has a generated one from its disclosure', async () => {
    const opened = await openPages(await aBuyersService({ disclosure: aDisclosure() }));
    ({ server } = opened);
    const imprint = await opened.browser.get('/imprint');
    expect(imprint.status).toBe(200);
    expect(imprint.body).toContain(aDisclosure().en.company_name);
  });

  test('a store without a disclosure has no about page', async () => {
    const opened = await openPages(await aBuyersService());
    ({ server } = opened);
    expect((await opened.browser.get('/imprint')).status).toBe(404);
  });
});
