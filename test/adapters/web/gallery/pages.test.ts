import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Limit } from '../../../../adapters/host/host.ts';
import { StoreUnavailable } from '../../../../adapters/store/table.ts';
import { Turns } from '../../../../adapters/web/shared/turns.ts';
import { aDesktopScreen, aDocumentText } from '../../../support/gallery-builders.ts';
import { type GallerySample, type GalleryServer, galleryParts, serveGallery } from '../../../support/gallery-pages.ts';
import { PageBrowser } from '../../../support/page-browser.ts';
import { anImage } from '../../../support/screen-builders.ts';

/** A text that breaks out of an element, or of an attribute in either kind of quotes, unless it is escaped. */
const HOSTILE = `"'><script>alert(1)</script><img src=x onerror=alert(2)>\${x}&lt;`;

const SCREENS = Array.from({ length: 60 }, (_, n) =>
  aDesktopScreen({
    id: n + 1,
    title: `Screen ${n + 1}`,
    url: `https://account.example.com/pages/${n + 1}`,
    step: (n % 3) + 1,
    viewport: n % 2 === 0 ? 'desktop' : 'mobile',
  }),
);
const TEXTS = [aDocumentText(), aDocumentText({ number: 2, base_version: 1, state: 'in_review', review: null })];

/** Every page, with a text of it in each language. */
const PAGES = [
  ['/', 'Newest first', '최신순'],
  ['/?viewport=mobile', '30 matching screens', '조건에 맞는 화면 30개'],
  ['/?q=nothing-like-it', 'No screen matches all of these filters', '모든 조건에 맞는 화면이 없습니다'],
  ['/apps', '60 screens · 1 flow', '화면 60개 · 흐름 1개'],
  ['/apps/accounts', 'All apps', '모든 앱'],
  ['/screens/1', 'Next screen', '다음 화면'],
  ['/screens/1/saved', 'Saved page', '저장된 페이지'],
  ['/taxonomy', 'Page types', '페이지 유형'],
  ['/documents', 'Waiting for review', '검토를 기다리는 버전'],
  ['/documents/buttons', 'Reviewed by reviewer', 'reviewer의 검토 의견'],
  ['/documents/buttons/versions/2', 'This is not the current version', '현재 버전이 아닙니다'],
  ['/documents/buttons/compare?from=1&to=2', 'have the same text', '두 버전의 내용이 같습니다'],
] as const;

describe('the pages of the gallery', () => {
  let server: GalleryServer;
  let browser: PageBrowser;

  const open = async (parts: GallerySample, limit?: Limit): Promise<void> => {
    await server?.close();
    server = await serveGallery(parts, () => [], { limit });
    browser = new PageBrowser(server.url);
  };

  beforeEach(() => open(galleryParts({ screens: SCREENS, texts: TEXTS })));
  afterEach(() => server.close());

  test.each(
    PAGES,
  )('the page %s is shown in English and in Korean, by the browser’s languages or by the URL', async (path, en, ko) => {
    const english = await browser.get(path, { 'accept-language': 'en-GB' });
    const korean = await browser.get(path, { 'accept-language': 'ko-KR,en;q=0.5' });
    const chosen = await browser.get(`${path}${path.includes('?') ? '&' : '?'}hl=ko`, { 'accept-language': 'en' });
    expect([english, korean, chosen].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([english, korean, chosen].map(({ headers }) => headers.get('content-language'))).toEqual(['en', 'ko', 'ko']);
    expect(english.body).toContain(en);
    expect(korean.body).toContain(ko);
    expect(chosen.body).toContain(ko);
  });

  test.each([
    ...PAGES.map(([path]) => path),
    '/nothing',
  ])('the page %s sets no cookie, runs only its host’s script and can’t be framed', async (path) => {
    const { headers, cookies, body } = await browser.get(path, { cookie: 'account-session=x' });
    expect(cookies).toEqual([]);
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(body.match(/<script[^>]*>/g)).toEqual([
      expect.stringMatching(/^<script type="module" src="\/assets\/gallery-\w+\.js">$/),
    ]);
    expect(body).not.toMatch(/style="|onclick/);
  });

  test('the language chosen by a URL stays in every link and in the form', async () => {
    const { body } = await browser.get('/?hl=ko&viewport=mobile');
    const links = [...body.matchAll(/href="(\/[^"]*)"/g)].map(([, href]) => href as string);
    const pages = links.filter((href) => !href.startsWith('/assets/') && !href.includes('hl=en'));
    expect(pages.filter((href) => !href.includes('hl=ko'))).toEqual([]);
    expect(body).toContain('<input type="hidden" name="hl" value="ko">');
  });

  test('the links to other pages of a list keep every filter', async () => {
    const { body } = await browser.get(
      '/?viewport=mobile&components=button&components=input&sort=oldest&cols=3&app=accounts',
    );
    const next = /<a class="button" rel="next" href="([^"]*)"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
    expect(next).toBe('/?viewport=mobile&components=button,input&app=accounts&sort=oldest&cols=3&page=2');
    const second = await browser.get(next as string);
    expect(second.body).toContain('30 matching screens');
    expect(second.body).toContain('aria-current="page" aria-label="Page 2"');
  });

  test('each active filter can be removed alone', async () => {
    const { body } = await browser.get('/?viewport=mobile&patterns=form');
    const chips = [...body.matchAll(/class="chip" href="([^"]*)"/g)].map(([, href]) => href);
    expect(chips).toEqual(['/?patterns=form', '/?viewport=mobile']);
  });

  test.each([
    ['/?viewport=watch', 'Viewport'],
    ['/?cols=900', 'Columns'],
    ['/?page=0', 'Page'],
    ['/?page=1e99&platform=%00', 'Platform, Page'],
    [`/?q=${'x'.repeat(201)}`, 'Words'],
  ])('the list %s ignores invalid filters and names them', async (path, names) => {
    const { status, body } = await browser.get(path);
    expect(status).toBe(200);
    expect(body).toContain(`Ignored filters with unknown values: ${names}.`);
    expect(body).toContain('60 screens');
  });

  test('a page beyond the last one says so and links to the first', async () => {
    const { status, body } = await browser.get('/?page=99&viewport=mobile');
    expect(status).toBe(200);
    expect(body).toContain('No such page of results');
    expect(body).toContain('href="/?viewport=mobile"');
  });

  test('a flow of an app is shown step by step, in the reader’s language and in light colors', async () => {
    const looks = [1, 2].flatMap((step) =>
      (['en', 'ko'] as const).flatMap((lang) => (['dark', 'light'] as const).map((mode) => ({ step, lang, mode }))),
    );
    const screens = looks.map((look, n) =>
      aDesktopScreen({ id: n + 1, title: `${look.lang} ${look.mode} ${look.step}`, ...look }),
    );
    await open(galleryParts({ screens }));
    const { body } = await browser.get('/apps/accounts?hl=ko');
    const shown = [...body.matchAll(/>((?:en|ko) (?:dark|light) \d)</g)].map(([, title]) => title);
    expect(shown).toEqual(['ko light 1', 'ko light 2']);
  });

  test('a gallery without screens says how screens are added', async () => {
    await open(galleryParts());
    const { body } = await browser.get('/');
    expect(body).toContain('No screens yet');
    expect(body).toContain('agent-token create <span class="inline">--role </span>collect');
  });

  test.each([
    '/screens/0',
    '/screens/61',
    '/screens/1e3',
    '/screens/9999999999999999999',
    '/apps/nothing',
    '/apps/__proto__',
    '/apps//',
    '/documents/nothing',
    '/documents/buttons/versions/3',
    '/documents/buttons/versions/x',
    '/documents/buttons/compare?from=1&to=9',
    '/%E0%A4%A',
    '/../etc/passwd',
    '/SCREENS/1',
  ])('the path %s shows a not-found page', async (path) => {
    const { status, body, headers } = await browser.get(path);
    expect(status).toBe(404);
    expect(body).toContain('This page doesn’t exist');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('hostile titles, URLs, flows and words are escaped', async () => {
    const hostile = aDesktopScreen({
      title: HOSTILE,
      url: `javascript:alert(1)//${HOSTILE}`,
      final_url: `data:text/html,${HOSTILE}`,
      flow: { slug: HOSTILE, name: HOSTILE },
      kind: HOSTILE,
      patterns: [HOSTILE],
      components: [HOSTILE],
      elements: { [HOSTILE]: 3 },
      fonts: [HOSTILE],
      colors: [{ hex: HOSTILE, share: 1 }],
      text: HOSTILE,
    });
    const texts = [
      aDocumentText({ body: `${HOSTILE}\n`, author: { id: 1, name: HOSTILE } }),
      aDocumentText({
        number: 2,
        state: 'rejected',
        body: `${HOSTILE} changed\n`,
        review: {
          verdict: 'rejected',
          reason: HOSTILE,
          reviewer: { id: 2, name: HOSTILE },
          reviewed_at: '2026-01-01T00:00:00.000Z',
        },
      }),
    ];
    await open(galleryParts({ screens: [hostile, { ...hostile, id: 2 }], texts }));
    const query = new URLSearchParams({
      q: HOSTILE,
      kind: HOSTILE,
      patterns: HOSTILE,
      components: HOSTILE,
      app: 'accounts',
      flow: HOSTILE,
    });
    for (const path of [
      '/',
      `/?${query}`,
      '/apps/accounts',
      '/screens/1',
      '/documents',
      '/documents/buttons',
      '/documents/buttons/versions/2',
      '/documents/buttons/compare',
    ]) {
      const { status, body } = await browser.get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(body).not.toMatch(/<script>|<img src=x|href="(?:javascript|data):/i);
    }
    expect(server.faults).toEqual([]);
  });

  test.each([
    '/documents/buttons',
    '/documents/buttons/compare?from=1&to=2',
  ])('the page %s waits in a queue for CPU-heavy work', async (path) => {
    const taken = vi.spyOn(Turns.prototype, 'take');
    expect((await browser.get(path)).status).toBe(200);
    expect(taken).toHaveBeenCalledTimes(1);
    taken.mockRestore();
  });

  test('under its own path the host links to nothing beside that path', async () => {
    await server.close();
    server = await serveGallery(galleryParts({ screens: SCREENS, texts: TEXTS }), () => [], { path: '/prod' });
    browser = new PageBrowser(server.url);
    for (const [path] of PAGES) {
      const { body } = await browser.get(path);
      const own = [...body.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, href]) => href as string);
      expect(own.filter((href) => !href.startsWith('/prod/'))).toEqual([]);
    }
  });

  test('a page is sent again only after it changed', async () => {
    const first = await browser.get('/screens/1');
    const again = await browser.get('/screens/1', { 'if-none-match': first.headers.get('etag') as string });
    expect([first.status, again.status, again.body]).toEqual([200, 304, '']);
    expect(again.headers.get('vary')).toBe('Accept-Language');
  });

  test.each([
    '/documents/buttons',
    '/documents/buttons/versions/2',
  ])('the page %s is 304 without rendering for a reader that has it', async (path) => {
    const first = await browser.get(path);
    const taken = vi.spyOn(Turns.prototype, 'take');
    const again = await browser.get(path, { 'if-none-match': first.headers.get('etag') as string });
    expect([again.status, again.body, taken.mock.calls.length]).toEqual([304, '', 0]);
    taken.mockRestore();
  });

  test('images have their dimensions, and those of lists load lazily', async () => {
    const { body } = await browser.get('/');
    const images = body.match(/<img [^>]*>/g) ?? [];
    expect(images).toHaveLength(24);
    expect(images.filter((image) => !/width="\d+" height="\d+".* loading="lazy"/.test(image))).toEqual([]);
  });

  test('the looks of a page are one card with links to each, and the screen page marks its own', async () => {
    const look = (id: number, viewport: 'desktop' | 'mobile', lang: 'en' | 'ko') =>
      aDesktopScreen({ id, viewport, lang, title: `Look ${id}`, url: `https://example.com/${lang}/terms` });
    const looks = [
      look(1, 'mobile', 'ko'),
      look(2, 'mobile', 'en'),
      look(3, 'desktop', 'ko'),
      look(4, 'desktop', 'en'),
    ];
    const other = aDesktopScreen({ id: 5, title: 'Other', url: 'https://example.com/en/privacy' });
    await open(galleryParts({ screens: [...looks, other] }));
    for (const path of ['/', '/apps/accounts']) {
      const { body } = await browser.get(path, { 'accept-language': 'en' });
      expect([path, body.match(/<li class="shot/g)?.length]).toEqual([path, 2]);
      expect(body).toContain('<a href="/screens/4">Look 4</a>');
      expect(body).toMatch(/<a href="\/screens\/1">Mobile · Korean/);
      expect((await browser.get(path, { 'accept-language': 'ko' })).body).toContain('<a href="/screens/3">Look 3</a>');
    }
    expect((await browser.get('/')).body).toContain('5 screens');
    expect((await browser.get('/?lang=en')).body).toMatch(/<a href="\/screens\/2">Mobile</);
    const { body } = await browser.get('/screens/1', { 'accept-language': 'en' });
    expect(body).toMatch(/<a href="\/screens\/1" aria-current="page">Mobile · Korean/);
    expect(body).toMatch(/<a href="\/screens\/4">Desktop · English/);
  });

  test('the saved page is shown in a fully sandboxed frame', async () => {
    const { body } = await browser.get('/screens/1/saved');
    expect(body).toContain('<iframe sandbox="" src="/screens/1/page"');
    expect(body).toContain('referrerpolicy="no-referrer"');
  });

  test.each([
    ['mobile', 390, 390],
    ['mobile', 780, 390],
    ['mobile', 1290, 430],
    ['desktop', 1280, 1280],
    ['desktop', 2880, 1440],
  ] as const)('a saved page of a %s picture of %d px is %d px wide', async (viewport, width, expected) => {
    await open(galleryParts({ screens: [aDesktopScreen({ viewport, image: anImage({ width }) })] }));
    expect((await browser.get('/screens/1/saved')).body).toContain(` width="${expected}" `);
  });

  test('a screen without a saved page does not link to one', async () => {
    await open(galleryParts({ screens: [aDesktopScreen({ page: null })] }));
    expect((await browser.get('/screens/1')).body).toContain('No page was saved');
    expect((await browser.get('/screens/1/saved')).status).toBe(404);
  });

  test('without public documents, no page links to them or shows them', async () => {
    await open(galleryParts({ screens: SCREENS, texts: null }));
    expect((await browser.get('/')).body).not.toContain('/documents');
    for (const path of ['/documents', '/documents/buttons', '/documents/buttons/versions/1']) {
      expect((await browser.get(path)).status).toBe(404);
    }
  });

  test('an IP address above its limit is asked to wait, and the style sheet counts as a file', async () => {
    const refused = { allowed: false, limit: 1, remaining: 0, resets_at: 0, retry_after: 12 };
    await open(galleryParts(), async (counter) => ({ ...refused, allowed: counter === 'bulk' }));
    const { status, headers, body } = await browser.get('/');
    expect([status, headers.get('retry-after')]).toEqual([429, '12']);
    expect(body).toContain('Wait 12 seconds');
    const sheet = /href="(\/assets\/gallery-[^"]*)"/.exec(body)?.[1] as string;
    const { status: found, headers: kept } = await browser.get(sheet);
    expect([found, kept.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
  });

  test('an error page has the request id, and an unavailable store asks to try again', async () => {
    const failing = (error: Error) => galleryParts({ showTaxonomy: () => Promise.reject(error) });
    await open(failing(new Error('the secret reason')));
    const fault = await browser.get('/taxonomy', { 'x-request-id': 'request-12345' });
    expect(fault.status).toBe(500);
    expect(fault.body).toContain('request-12345');
    expect(fault.body).not.toContain('secret reason');
    await open(failing(new StoreUnavailable('down')));
    const down = await browser.get('/taxonomy');
    expect([down.status, down.headers.get('retry-after')]).toEqual([503, '5']);
  });
});
