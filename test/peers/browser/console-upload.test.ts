import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { objectKeyOf } from '../../../domain/delivery/object-key.ts';
import { aProduct } from '../../support/builders.ts';
import { openConsole } from '../../support/console.ts';
import { aChromium } from './support/chromium.ts';

const visit = aChromium();

/** The file passes through the test, the browser and the server, which takes a busy machine a minute. */
const TIMEOUT = 180_000;

/** Large enough that a browser reports how much of it was sent. */
const FILE = { name: 'note-pad.zip', mimeType: 'application/zip', buffer: Buffer.alloc(20 * 1024 * 1024, 7) };

test.each([true, false])(
  'a version is published with its file, and a refused one is shown again (script: %s)',
  { timeout: TIMEOUT },
  async (javaScriptEnabled) => {
    const shop = await openConsole({ products: [aProduct({ id: 1, slug: 'note-pad' })] });
    try {
      const { page } = await visit({ javaScriptEnabled });
      await page.context().addCookies([...shop.browser.jar].map(([name, value]) => ({ name, value, url: shop.url })));
      await page.goto(`${shop.url}/releases/1/new`);
      const send = async (version: string): Promise<void> => {
        await page.setInputFiles('input[type=file]', FILE);
        await page.fill('input[name=version]', version);
        const bar = javaScriptEnabled ? page.waitForSelector('progress') : undefined;
        await page.click('button.main');
        await bar;
      };
      await send('first');
      await page.waitForSelector('[role=alert]');
      expect(await page.inputValue('input[name=version]')).toBe('first');
      await send('1.0.0');
      await page.waitForSelector('[role=status]');
      expect(page.url()).toContain('/releases/1/1.0.0?');
      expect(shop.faults).toEqual([]);
    } finally {
      await shop.close();
    }
  },
);

test(
  'a version is published from a host without large uploads, by an upload to the object store',
  { timeout: TIMEOUT },
  async () => {
    const shop = await openConsole({ products: [aProduct({ id: 1, slug: 'note-pad' })] }, 'everything', {
      uploads: 'directly',
    });
    try {
      const { page } = await visit({});
      await page.context().addCookies([...shop.browser.jar].map(([name, value]) => ({ name, value, url: shop.url })));
      const sent: number[] = [];
      let isDown = true;
      await page.route('**/uploads/**', async (route) => {
        if (isDown) return route.abort();
        const bytes = route.request().postDataBuffer() ?? Buffer.alloc(0);
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        await shop.service
          .get('objects')
          .put(grantPermit(), objectKeyOf(sha256), Readable.from([bytes]), { sha256, size: bytes.length });
        sent.push(bytes.length);
        return route.fulfill({ status: 200, headers: { 'access-control-allow-origin': '*' } });
      });
      await page.goto(`${shop.url}/releases/1/new`);
      await page.setInputFiles('input[type=file]', FILE);
      await page.fill('input[name=version]', '1.0.0');
      await page.click('button.main');
      await page.waitForSelector('[role=alert]');
      isDown = false;
      await page.click('button.main');
      await page.waitForSelector('[role=status]');
      expect(page.url()).toContain('/releases/1/1.0.0?');
      expect(sent).toEqual([FILE.buffer.length]);
      expect(await page.textContent('main')).toContain('note-pad.zip');
      expect(shop.faults).toEqual([]);
    } finally {
      await shop.close();
    }
  },
);

test('a form whose button is pressed again while the answer is slow is sent once', { timeout: TIMEOUT }, async () => {
  const shop = await openConsole({ products: [] });
  try {
    const { page } = await visit({});
    await page.context().addCookies([...shop.browser.jar].map(([name, value]) => ({ name, value, url: shop.url })));
    await page.goto(`${shop.url}/products/new`);
    let sent = 0;
    await page.route('**/products/new/add', async (route) => {
      sent += 1;
      await new Promise((done) => setTimeout(done, 1500));
      await route.continue().catch(() => {});
    });
    await page.fill('input[name="name.en"]', 'Note Pad');
    await page.fill('input[name=unit_price_cents]', '9');
    await page.evaluate(
      `for (const wait of [0, 300, 600]) setTimeout(() => document.querySelector('main button.main').click(), wait)`,
    );
    await page.waitForSelector('[role=status]');
    expect(sent).toBe(1);
    expect((await shop.service.get('catalogs').current()).products.size).toBe(1);
  } finally {
    await shop.close();
  }
});
