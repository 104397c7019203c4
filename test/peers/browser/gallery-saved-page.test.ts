import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { mediaRoute, savedPageRoute } from '../../../adapters/host/gallery-files.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { designObjectKey, SHEET_START, type StoredFile } from '../../../domain/shared/stored-file.ts';
import { aDesktopScreen } from '../../support/gallery-builders.ts';
import { type GalleryServer, galleryParts, serveGallery } from '../../support/gallery-pages.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { aChromium } from './support/chromium.ts';

/*
 * The headers of a saved page must suffice by themselves: these pages are stored as a hostile collector wrote them,
 * unsanitized.
 */

const open = aChromium();

/** A server that nobody may call; it counts its requests. */
const aStranger = async () => {
  const asked: string[] = [];
  const server: Server = createServer((req, res) => {
    asked.push(`${req.method} ${req.url}`);
    res.setHeader('access-control-allow-origin', '*');
    res.end('x');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { asked, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

const hostilePage = (evil: string, sheet: string): string => `<!doctype html><html><head>
<meta http-equiv="refresh" content="0;url=${evil}/refresh">
<base href="${evil}/base/">
<link rel="stylesheet" href="${sheet}">
<link rel="stylesheet" href="${evil}/style.css">
<link rel="preload" as="image" href="${evil}/preload">
<link rel="prefetch" href="${evil}/prefetch">
<link rel="modulepreload" href="${evil}/module">
<link rel="icon" href="${evil}/icon">
<link rel="manifest" href="${evil}/manifest">
<style>@import url(${evil}/import.css); @font-face { font-family: x; src: url(${evil}/font) } body { background: url(${evil}/background); font-family: x }</style>
<script>document.title = 'owned'; fetch('${evil}/fetch')</script>
<script src="${evil}/script.js"></script>
</head><body onload="document.title='owned'">
<h1>Saved</h1>
<img src="${evil}/image" srcset="${evil}/srcset 2x" onerror="document.title='owned'">
<picture><source srcset="${evil}/source"><img></picture>
<video src="${evil}/video" poster="${evil}/poster" autoplay></video><audio src="${evil}/audio" autoplay></audio>
<iframe src="${evil}/frame"></iframe><iframe srcdoc="<img src=${evil}/srcdoc>"></iframe>
<object data="${evil}/object"></object><embed src="${evil}/embed">
<svg><image href="${evil}/svg"/><use href="${evil}/use#x"/><script>document.title='owned'</script></svg>
<math><mtext><script>document.title='owned'</script></mtext></math>
<form action="${evil}/form"><input name="a" autofocus onfocus="document.title='owned'"><button id="send">Send</button></form>
<a id="leave" href="${evil}/link" ping="${evil}/ping" target="_top">Leave</a>
<a id="within" href="${evil}/within">Go</a>
<a id="script" href="javascript:document.title='owned'">Run</a>
<details open ontoggle="document.title='owned'"><summary>x</summary></details>
<style>h1 { color: rgb(1, 2, 3) }</style>
</body></html>`;

let server: GalleryServer | undefined;
let stranger: Awaited<ReturnType<typeof aStranger>> | undefined;

afterEach(async () => {
  await server?.close();
  stranger?.server.closeAllConnections();
  stranger?.server.close();
});

const serve = async () => {
  const { objects } = memoryEngines();
  const evil = await aStranger();
  stranger = evil;
  const put = async (text: string): Promise<StoredFile> => {
    const bytes = Buffer.from(text);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await objects.put(grantPermit(), designObjectKey(sha256), Readable.from([bytes]));
    return { sha256, size: bytes.length };
  };
  let page: StoredFile | null = null;
  server = await serveGallery(galleryParts({ screens: [aDesktopScreen()] }), (design) => [
    mediaRoute(objects),
    savedPageRoute({ objects, design, pageOf: async () => page }),
  ]);
  const sheet = await put(`${SHEET_START}h1 { font-style: italic } body { background: url(${evil.url}/from-sheet) }`);
  page = await put(hostilePage(evil.url, `${server.url}/media/${sheet.sha256}.css`));
  return { url: server.url, asked: evil.asked };
};

const styleOf = 'getComputedStyle(document.querySelector("h1")).fontStyle';

test('a hostile saved page opened alone runs no script, makes no outside request, and keeps its styles', async () => {
  const { url, asked } = await serve();
  const { page } = await open();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(`${url}/screens/1/page`);
  await page.waitForTimeout(1500);
  expect(new URL(page.url()).pathname).toBe('/screens/1/page');
  expect(await page.title()).not.toBe('owned');
  expect(await page.evaluate(styleOf)).toBe('italic');
  await page.click('#send');
  await page.click('#script');
  await page.waitForTimeout(500);
  expect(await page.title()).not.toBe('owned');
  expect(asked).toEqual([]);
  expect(await page.context().cookies()).toEqual([]);
});

test('a hostile saved page in its frame runs no script, makes no outside request and can’t navigate the page', async () => {
  const { url, asked } = await serve();
  const { page } = await open({ viewport: { width: 1280, height: 900 } });
  await page.goto(`${url}/screens/1/saved`);
  const frame = page.frameLocator('.saved iframe');
  await frame.locator('h1').waitFor();
  await page.waitForTimeout(1500);
  const saved = page.frames().find((one) => one.url() === `${url}/screens/1/page`);
  expect(await saved?.evaluate(styleOf)).toBe('italic');
  for (const id of ['#send', '#script', '#leave', '#within']) await frame.locator(id).click({ force: true });
  await page.waitForTimeout(500);
  expect(page.url()).toBe(`${url}/screens/1/saved`);
  expect(await page.title()).not.toBe('owned');
  expect(asked).toEqual([]);
});
