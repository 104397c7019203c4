import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mediaRoute, savedPageRoute } from '../../../adapters/host/gallery-files.ts';
import type { Screen } from '../../../domain/design/gallery/screen.ts';
import type { ObjectStore } from '../../../ports/outbound/object-store.ts';
import { aDocumentText } from '../../support/gallery-builders.ts';
import { type GalleryServer, galleryParts, serveGallery } from '../../support/gallery-pages.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { faultsOf, oneBrowser, picture } from './support/chromium.ts';
import { mockScreens } from './support/mock-captures.ts';

const RULES = `# Buttons

A page has **one** main button. It says what happens, in a verb.

## Sizes

| size | height | used for |
|---|---|---|
| small | 32 px | tables |
| large | 44 px | everything that a finger presses |

- Never disable a button without saying why.
- Put the main button last.

> Ask before you delete.

\`\`\`css
button { min-height: 2.75rem; }
\`\`\`
`;

const TEXTS = [
  aDocumentText({ body: RULES }),
  aDocumentText({
    number: 2,
    base_version: 1,
    state: 'rejected',
    body: RULES.replace('last', 'first'),
    review: {
      verdict: 'rejected',
      reason: 'The main button stands last everywhere else.',
      reviewer: { id: 2, name: '검토자' },
      reviewed_at: '2026-02-03T10:00:00.000Z',
    },
  }),
  aDocumentText({
    number: 3,
    base_version: 1,
    state: 'in_review',
    review: null,
    body: RULES.replace('44 px', '48 px')
      .replace('> Ask before you delete.', '> Ask before you delete, and offer to undo.')
      .replace('Never disable', 'Do not disable'),
  }),
  aDocumentText({ slug: 'colours', body: '# Colours\n\nUse few.\n' }),
];

/** Thirty pages with axe take long on a busy machine. */
const SLOW = 240_000;

const browser = oneBrowser();
let objects: ObjectStore;
let screens: Screen[];
let server: GalleryServer;
let empty: GalleryServer;

beforeAll(async () => {
  objects = memoryEngines().objects;
  screens = await mockScreens(browser(), objects);
  const parts = galleryParts({ screens, texts: TEXTS });
  server = await serveGallery(parts, (design) => [
    mediaRoute(objects),
    savedPageRoute({
      objects,
      design,
      pageOf: async (id) => screens.find((screen) => screen.id === id)?.page ?? null,
    }),
  ]);
  empty = await serveGallery(galleryParts());
}, SLOW);

afterAll(async () => {
  await Promise.all([server?.close(), empty?.close()]);
});

const tourOf = (page: Page): Record<string, () => Promise<unknown>> => {
  const go = (path: string) => () => page.goto(server.url + path, { waitUntil: 'load' });
  return {
    explore: go('/'),
    filtered: go('/?viewport=mobile&lang=en&components=button,input&app=accounts&sort=oldest'),
    wide: go('/?cols=6&viewport=desktop'),
    nothing: go('/?q=zebra&platform=ios&mode=blue'),
    beyond: go('/?page=99'),
    empty: () => page.goto(empty.url),
    apps: go('/apps'),
    app: go('/apps/accounts'),
    'screen-desktop': go('/screens/1'),
    'screen-mobile': go('/screens/6'),
    'saved-mobile': async () => {
      await go('/screens/6/saved')();
      await page.frameLocator('.saved iframe').locator('h1').waitFor();
      expect(await page.frames()[1]?.evaluate('innerWidth')).toBe(390);
    },
    taxonomy: go('/taxonomy'),
    documents: go('/documents'),
    document: go('/documents/buttons'),
    version: go('/documents/buttons/versions/3'),
    compare: go('/documents/buttons/compare?from=1&to=3'),
    'not-found': go('/nothing'),
  };
};

test.each([
  ['en-GB', 'light', 1280],
  ['ko-KR', 'dark', 360],
] as const)(
  'axe finds no fault in any page of the gallery, and no page is wider than the screen (%s, %s, %d px)',
  async (locale, colorScheme, width) => {
    const context = await browser().newContext({ locale, colorScheme, viewport: { width, height: 844 } });
    const page = await context.newPage();
    const complaints: string[] = [];
    const elsewhere: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('request', (request) => {
      if (![server.url, empty.url].some((url) => request.url().startsWith(url))) elsewhere.push(request.url());
    });
    const found: string[] = [];
    for (const [name, visit] of Object.entries(tourOf(page))) {
      await visit();
      found.push(...(await faultsOf(page, name)));
      await picture(page, `${name}.${locale}.${colorScheme}.${width}`);
    }
    expect(await context.cookies()).toEqual([]);
    await context.close();
    expect(found).toEqual([]);
    // The browser itself reports each error page.
    expect(complaints.filter((line) => !/status of [45]/.test(line))).toEqual([]);
    expect(elsewhere).toEqual([]);
  },
  SLOW,
);

test(
  'filters apply at once, arrow keys switch the screens of a flow, a picture can be enlarged, and a color leads to its screens',
  async () => {
    const page = await browser().newPage({ viewport: { width: 1280, height: 844 } });
    const refused: string[] = [];
    page.on('console', (message) => message.type() === 'error' && refused.push(message.text()));
    await page.goto(server.url);
    const found = () => page.locator('#found').innerText();
    const all = await found();
    await page.locator('.radios input[name=viewport][value=mobile]').check({ force: true });
    await expect.poll(found).not.toBe(all);
    expect(page.url()).toBe(`${server.url}/?viewport=mobile&sort=newest`);
    expect(await page.locator('input[name=viewport][value=mobile]').isChecked()).toBe(true);
    await picture(page, 'applied');

    await page.goto(`${server.url}/screens/1`);
    const next = await page.locator('.turn a[rel=next]').getAttribute('href');
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(`${server.url}${next}`);
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL(`${server.url}/screens/1`);

    const width = () => page.locator('.stage img').evaluate((image) => image.clientWidth);
    const small = await width();
    await page.locator('.stage').click();
    await expect.poll(width).toBeGreaterThan(small);
    await picture(page, 'zoomed');
    await page.locator('.colors a').first().click();
    await page.waitForURL(/\?color=%23[0-9a-f]{6}$/);
    expect(await page.locator('.chip').innerText()).toContain('Color: #');
    expect(await page.locator('.shot').count()).toBeGreaterThan(0);
    expect(refused).toEqual([]);
    await page.close();
  },
  SLOW,
);
