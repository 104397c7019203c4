import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { en } from '../../../adapters/web/account/messages/en.ts';
import { DEVICE_KEY_ABILITIES } from '../../../domain/access/abilities.ts';
import { aKey, aServer, DEMO } from '../../sign-in/a-server.ts';
import { aChromium, pathOf } from './support/chromium.ts';

/* A buyer without a mouse: every step on the account pages is a key press. */

const aVisitor = aChromium();

/** The focused element: its name, and the reasons why its focus would not be visible. */
const FOCUS = `(() => {
  const at = document.activeElement;
  const text = at.getAttribute('aria-label') || at.labels?.[0]?.textContent || at.textContent || '';
  const name = text.replaceAll(/\\s+/g, ' ').trim();
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  const faults = [];
  if (outlineStyle === 'none' || parseFloat(outlineWidth) < 2) faults.push('has no outline');
  const [{ top, bottom, left, right } = {}] = at.getClientRects();
  const [x, y] = [(left + right) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2];
  if (!at.contains(document.elementFromPoint(x, y))) faults.push('is off the screen or covered');
  return { tag: at.tagName, name, faults };
})()`;

type Focus = { readonly tag: string; readonly name: string; readonly faults: readonly string[] };

const MOST_STOPS = 80;

/** The keyboard of a page. Each stop on the way must be visible. */
const keyboardOf = (page: Page) => {
  const focus = (): Promise<Focus> => page.evaluate<Focus>(FOCUS);
  const press = (key: string): Promise<void> => page.keyboard.press(key);

  const step = async (key: 'Tab' | 'Shift+Tab'): Promise<Focus> => {
    await press(key);
    const stop = await focus();
    // The browser's own user interface is between the last stop and the first.
    if (stop.tag !== 'BODY') expect(stop.faults, `“${stop.name}” on ${pathOf(page)}`).toEqual([]);
    return stop;
  };

  /** Moves to the next stop whose name begins with these words. */
  const to = async (words: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> => {
    const passed: string[] = [];
    while (passed.length < MOST_STOPS) {
      const { name } = await step(key);
      if (name.startsWith(words)) return;
      passed.push(name.slice(0, 40));
    }
    expect(passed, `no way to “${words}” on ${pathOf(page)}`).toContain(words);
  };
  /** Follows a link or submits a form, and waits for the next page. */
  const enter = async (words: string, path: RegExp, key?: 'Shift+Tab'): Promise<void> => {
    await to(words, key);
    await Promise.all([page.waitForEvent('load'), press('Enter')]);
    expect(pathOf(page)).toMatch(path);
  };

  /** Skips the header: the first stop of a page leads to its content. */
  const skip = async (): Promise<void> => {
    expect((await step('Tab')).name).toBe(en.skip);
    await press('Enter');
    expect((await focus()).tag).toBe('MAIN');
  };

  const write = async (words: string, text: string): Promise<void> => {
    await to(words);
    await page.keyboard.type(text);
  };
  const shown = (selector: string): Promise<boolean> => page.locator(selector).first().isVisible();
  return { focus, press, step, to, enter, skip, write, shown };
};

test('a buyer without a mouse signs in, reads a receipt, downloads, manages a device and a key, and writes to the shop', async () => {
  const running = await aServer();
  const headers = {
    authorization: `Bearer ${await aKey(running, DEVICE_KEY_ABILITIES)}`,
    'content-type': 'application/json',
  };
  const body = JSON.stringify({ product_id: 4, device_id: 'old-laptop' });
  await fetch(`${running.urls.api}/api/license/check`, { method: 'POST', headers, body });
  const { page, complaints } = await aVisitor({ viewport: { width: 1280, height: 800 }, acceptDownloads: true });
  const { focus, press, to, enter, skip, write, shown } = keyboardOf(page);
  const open = async (section: 'library' | 'orders' | 'devices' | 'support'): Promise<void> => {
    await enter(en.nav[section], new RegExp(`^/${section}$`), 'Shift+Tab');
    await skip();
  };
  /** The notice about the submitted form has the focus, so the next stop is near it. */
  const answered = (text: string): Promise<void> => expect.poll(async () => (await focus()).name).toBe(text);

  await page.goto(`${running.urls.account}/`);
  expect((await focus()).name).toBe(en.signIn.email);
  await page.keyboard.type(DEMO.email);
  await write(en.signIn.password, DEMO.password);
  await enter(en.signIn.submit, /^\/library$/);

  await to(en.signedInAs);
  await press('Enter');
  await to(en.signOut);
  await to(en.nav.library);
  expect(await shown('.menu'), 'a menu that was left covers the links below it').toBe(false);
  await to(en.signedInAs, 'Shift+Tab');
  expect(await shown('.menu')).toBe(true);
  await press('Space');
  expect(await shown('.menu')).toBe(false);

  await open('orders');
  await enter('Hashcheck', /^\/orders\/\d+$/);
  await skip();
  await to(en.orders.print);
  await to(en.support.write);

  await open('library');
  await enter('Hashcheck', /^\/library\/4$/);
  await skip();
  await to(en.library.downloadFor(en.platforms['linux-amd64']));
  const [download] = await Promise.all([page.waitForEvent('download'), press('Enter')]);
  expect(readFileSync(await download.path()).length).toBeGreaterThan(0);
  await to(en.library.sum);
  await press('Enter');
  await to('SHA-256');
  await to(en.library.makeLicenseKey);
  for (const isOpen of [true, false]) {
    await press('Space');
    expect(await shown('form[action="/library/license-key"] button')).toBe(isOpen);
  }

  await open('devices');
  await to(en.devices.rename);
  await press('Enter');
  await write(en.devices.name, 'Studio');
  await enter(en.devices.renameButton, /done=renamed/);
  await answered(en.devices.renamed('Studio'));
  await to(en.devices.release);
  await press('Space');
  await enter(en.devices.confirmButton, /done=freed/);
  await answered(en.devices.freed('Studio', 'Hashcheck', en.devices.used(0, 3)));

  await enter(en.keys.title, /^\/keys$/, 'Shift+Tab');
  await to(String(en.keys.uses.agent[0]));
  await press('ArrowDown');
  expect((await focus()).name).toContain(en.keys.uses.script[0]);
  await write(en.keys.name, ' ');
  await press('Enter');
  await page.getByText(en.keys.check).waitFor();
  expect((await focus()).name, 'the field with the fault').toBe(en.keys.name);
  await page.keyboard.type('Backup');
  await enter(en.keys.submit, /^\/keys$/);
  await answered(en.keys.createdText);
  await to(en.keys.value);
  const value = await page.locator('#value').innerText();
  await to(en.keys.copy);
  await enter(en.keys.toList, /^\/keys$/);
  await to(`${en.keys.revoke} Backup`);
  await press('Enter');
  await enter(en.keys.confirmButton('Backup'), /done=revoked/);
  await answered(en.keys.revoked);
  expect((await running.service.get('authenticate')(value)).ok).toBe(false);

  await open('support');
  await to(en.support.about);
  await press('ArrowDown');
  await write(en.support.subject, 'The clock stops');
  await write(en.support.text, 'After a minute.');
  await enter(en.support.send, /done=sent/);
  await answered(en.support.sent);
  await to(en.support.reply);
  await press('Enter');
  await write(en.support.replyText, 'It goes on again after a restart.');
  await enter(en.support.sendReply, /done=replied/);
  await answered(en.support.replied);
  expect(await page.locator('.card .answer').allInnerTexts()).toContain('It goes on again after a restart.');
  expect(complaints.filter((line) => !line.includes('status of 422'))).toEqual([]);
}, 180_000);
