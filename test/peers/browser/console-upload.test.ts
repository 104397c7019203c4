import { expect, test } from 'vitest';
import { aProduct } from '../../support/builders.ts';
import { openConsole } from '../../support/console.ts';
import { aChromium } from './support/chromium.ts';

const visit = aChromium();

/** Large enough that a browser reports how much of it was sent. */
const FILE = { name: 'note-pad.zip', mimeType: 'application/zip', buffer: Buffer.alloc(20 * 1024 * 1024, 7) };

test.each([
  true,
  false,
])('a version is sent with its file, and a refused one shown again (script: %s)', async (javaScriptEnabled) => {
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
});
