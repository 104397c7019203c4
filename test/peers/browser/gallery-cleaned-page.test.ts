import { setTimeout as wait } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';
import { expect, test } from 'vitest';
import { threadedPages } from '../../../adapters/design/pages/reading-thread.ts';
import { mediaRoute, savedPageRoute } from '../../../adapters/host/gallery-files.ts';
import type { StoredFile } from '../../../domain/shared/stored-file.ts';
import { galleryParts, serveGallery } from '../../support/gallery-pages.ts';
import { HOSTILE_PAGES, HOSTILE_STYLES, OUTSIDE } from '../../support/hostile-pages.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { aChromium, pathOf } from './support/chromium.ts';
import { stored } from './support/stored.ts';

/*
 * Cleaning must suffice by itself: the browser ignores the policy and the sandbox of saved pages, so anything harmful
 * left in a page would run or request something.
 */

const URL_OF_PAGE = 'https://page.example/shop/';
/** A tab may hang, and Playwright waits for it indefinitely. A real escape happens again. */
const PATIENT = { timeout: 150_000, retry: 1 };

/** The timeout of a call to a tab that has none, in milliseconds. */
const STEP_MS = 5000;

/** Pages with a hostile style sheet. */
const STYLED = HOSTILE_STYLES.map((css, i) => ({
  name: `style sheet ${i + 1}`,
  html: '<link rel=stylesheet href=a.css><svg><rect class=a></rect></svg><a>a</a><b>b</b><i class=c>c</i>',
  css,
}));
type HostilePage = (typeof STYLED)[number];

const PAGES: readonly HostilePage[] = [...HOSTILE_PAGES.map((page) => ({ ...page, css: '' })), ...STYLED];

// A busy browser may draw no frame for a tab, and would never answer.
const PRESS_EVERYTHING = `(async () => {
  for (const one of document.querySelectorAll('a, area, button, summary')) one.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  await new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve)); setTimeout(resolve, 1000); });
})()`;

const open = aChromium();

/** Serves these pages as saved pages, beginning with that of screen 1. */
const serve = async (
  pages: readonly HostilePage[],
  read: (page: HostilePage) => Promise<{ html: Uint8Array; styles: Uint8Array[] }>,
) => {
  const { objects } = memoryEngines();
  const saved: StoredFile[] = [];
  for (const page of pages) {
    const { html, styles } = await read(page);
    for (const css of styles) await stored(objects, css);
    saved.push(await stored(objects, html));
  }
  return serveGallery(galleryParts(), (design) => [
    mediaRoute(objects),
    savedPageRoute({ objects, design, pageOf: async (id) => saved[id - 1] ?? null }),
  ]);
};

/**
 * Opens the saved pages one after the other, each in its own tab, because a form that submits to its own page would
 * block the next one. Returns the pages that ran a script or requested something.
 */
const escapes = async (context: BrowserContext, url: string, pages: readonly HostilePage[]): Promise<string[]> => {
  const found: string[] = [];
  let name = '';
  await context.route(
    (address) => address.origin !== url,
    (route) => {
      if (!route.request().url().startsWith('data:')) found.push(`${name} asked for ${route.request().url()}`);
      return route.abort();
    },
  );
  for (const [i, one] of pages.entries()) {
    name = one.name;
    const path = `/screens/${i + 1}/page`;
    const page = await context.newPage();
    page.on('dialog', (dialog) => {
      found.push(`${one.name} ran a script`);
      void dialog.dismiss();
    });
    const note = (how: string): void => {
      if (pathOf(page).split('?', 1)[0] !== path) found.push(`${name} led to ${page.url()} ${how}`);
    };
    await page.goto(url + path, { waitUntil: 'load' }).catch(() => found.push(`${name} did not load`));
    note('by itself');
    // Pressing a link or a button may run a script, or navigate. A form without an action submits to its own page.
    await Promise.race([page.evaluate(PRESS_EVERYTHING).catch(() => {}), wait(STEP_MS)]);
    await page.waitForLoadState('load');
    note('by a click');
    await Promise.race([page.close(), wait(STEP_MS)]);
  }
  return found;
};

test(
  'hostile pages that were cleaned run no script and make no outside request, even without the policy of saved pages',
  PATIENT,
  async () => {
    const reader = threadedPages();
    const server = await serve(PAGES, async ({ html, css }) => {
      const styles = css === '' ? [] : [{ url: `${URL_OF_PAGE}a.css`, css: Buffer.from(css) }];
      const read = await reader.read({ html: Buffer.from(html), url: URL_OF_PAGE, styles, mode: null });
      if (!read.ok) throw new Error(read.message);
      return { html: read.value.html, styles: read.value.styles.map((style) => style.css) };
    });
    const { page } = await open({ bypassCSP: true });
    expect(await escapes(page.context(), server.url, PAGES)).toEqual([]);
    expect(await page.context().cookies()).toEqual([]);
    await server.close();
  },
);

test('the same pages run scripts and make outside requests without cleaning', PATIENT, async () => {
  const some = PAGES.slice(0, 26);
  const server = await serve(some, async ({ html }) => ({ html: Buffer.from(html), styles: [] }));
  const { page } = await open({ bypassCSP: true });
  const found = await escapes(page.context(), server.url, some);
  expect(found).toContain('event handlers ran a script');
  expect(found).toContain(`images asked for ${OUTSIDE}/a.png`);
  expect(found).toContain(`style element 1 asked for ${OUTSIDE}/a.css`);
  expect(new Set(found).size).toBeGreaterThan(20);
  await server.close();
});
