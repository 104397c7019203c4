import { expect, test } from 'vitest';
import { anAuthorization, aWaitingDevice, openAccountHost } from './account-host.ts';
import { oneBrowser, picture } from './support/chromium.ts';
import { fillHostile } from './support/hostile-shop.ts';

const browser = oneBrowser();

/**
 * The texts of a page that are not fully readable, because they extend beyond the screen or the card around them. A
 * text that the page itself truncates with an ellipsis does not count, nor one that scrolls in a box of its own.
 */
const CUT_TEXTS = `(() => {
  for (const one of document.querySelectorAll('details')) one.open = true;
  const found = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways');
  for (const one of document.querySelectorAll('tbody th')) {
    if (one.clientWidth < 60) found.push('the title of a row is ' + one.clientWidth + ' pixels wide');
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const holder = node.parentElement;
    if (!node.data.trim() || holder.closest('.unseen, .skip, script, textarea, option')) continue;
    if (holder.closest('.email, .brand, .prose pre, .prose .table')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const card = holder.closest('.card, .notice, .note, main, .bar, .foot, body').getBoundingClientRect();
    const [left, right] = [Math.max(0, card.left - 1), Math.min(innerWidth, card.right + 1)];
    const box = [...range.getClientRects()].find((one) => one.width > 0 && (one.left < left || one.right > right));
    if (box) found.push(holder.tagName + '.' + holder.className + ' "' + node.data.trim().slice(0, 30) + '" ' + Math.round(box.left) + '…' + Math.round(box.right));
  }
  return found;
})()`;

const WIDTHS = [320, 390, 1280];

/** The internal links of a page. One page represents all that differ only in a number. */
const LINKS = `[...document.querySelectorAll('a[href^="/"]')].map((a) => a.getAttribute('href'))
  .filter((href) => !/^\\/(assets|library\\/download|support\\/file)|lang=/.test(href))`;
const kindOf = (path: string): string => path.replace(/#.*/, '').replaceAll(/\d{2,}/g, '9');

/** Pages without links to them, and those for visitors. */
const FURTHER = ['/profile/erase', '/devices/offline', '/nothing'];
const VISITORS = ['/sign-in', '/sign-in/link?code=x'];

// German has the longest words, and Korean breaks its lines elsewhere.
test.each([
  'ko-KR',
  'de-DE',
])('no text of any length is cut or scrolls a page sideways, at 320 pixels or more (%s)', async (locale) => {
  const host = await openAccountHost(browser());
  const page = await host.signedIn({ locale, viewport: { width: 320, height: 844 } });
  await fillHostile(host);
  const { user_code } = await aWaitingDevice(host);
  const consent = await anAuthorization(host);
  const seen = new Set<string>();
  const found: string[] = [];
  const visit = async (path: string): Promise<string[]> => {
    if (seen.has(kindOf(path))) return [];
    seen.add(kindOf(path));
    const answer = await page.goto(host.url + path);
    if ((answer?.status() ?? 500) >= 500) found.push(`${path} is broken`);
    const links = await page.evaluate<string[]>(LINKS);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 844 });
      await picture(page, `hostile${path.replaceAll(/\W+/g, '-').slice(0, 40)}.${locale}.${width}`);
      const faults = await page.evaluate<string[]>(CUT_TEXTS);
      found.push(...faults.map((fault) => `${path} at ${width}: ${fault}`));
    }
    return links;
  };
  const waiting = ['/library', `/device?user_code=${user_code}`, consent.path, ...FURTHER];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) waiting.push(...(await visit(path)));
  await page.context().clearCookies();
  for (const path of VISITORS) await visit(path);
  await host.close();
  expect(found).toEqual([]);
  expect(seen.size).toBeGreaterThan(30);
}, 240_000);
