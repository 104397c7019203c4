import { afterEach, expect, test } from 'vitest';
import type { ShopRole } from '../../../../domain/access/principal.ts';
import { type Console, MEMBER, openConsole } from '../../../support/console.ts';
import { MAILING, sendAll } from '../../../support/mail.ts';
import { hiddenFields } from '../../../support/page-browser.ts';
import { aReceiver, deliverAll } from '../../../support/webhooks.ts';

let shop: Console;
const receiver = aReceiver();
const open = async (role?: ShopRole) => {
  shop = await openConsole({}, role, { settings: MAILING, overrides: { webhookSender: receiver } });
};
const body = async (path: string) => (await shop.browser.get(path)).body;

afterEach(async () => {
  await shop.close();
  expect(shop.faults).toEqual([]);
});

const storefront = () => shop.service.get('showStorefront')();

test('each notice shows its time and recipients, a change is saved, and an invalid address is shown with the typed text', async () => {
  await open();
  expect(await body('/notices')).toContain(`To ${MEMBER.email}`);
  const saved = await shop.browser.submit('/notices', '/notices/save', {
    'notify.sale': 'at_once',
    'notify.disk': 'never',
    'notify.to': 'a@example.com\r\nb@example.com',
  });
  expect(await body(saved.location ?? '')).toContain('The notices are saved.');
  expect((await storefront()).notify).toMatchObject({
    sale: 'at_once',
    disk: 'never',
    to: ['a@example.com', 'b@example.com'],
  });
  const wrong = await shop.browser.submit('/notices', '/notices/save', { 'notify.to': 'nobody' });
  expect(wrong.status).toBe(422);
  expect(wrong.body).toMatch(/>\s*nobody<\/textarea>/);
  const tested = await shop.browser.submit('/notices', '/notices/test', {});
  expect(await body(tested.location ?? '')).toContain('a@example.com, b@example.com');
  expect((await shop.service.get('messages').waiting(10)).map(({ email }) => email)).toEqual([
    'a@example.com',
    'b@example.com',
  ]);
  await sendAll(shop.service).catch(() => []);
});

test('a webhook is created with its secret shown once, tested, paused, resumed, given a new secret and deleted', async () => {
  await open();
  expect(await body('/webhooks')).toContain('No webhooks yet');
  const wrong = await shop.browser.submit('/webhooks/new', '/webhooks/new/create', { url: 'http://a.example' });
  expect(wrong.status).toBe(422);
  const sent = {
    ...hiddenFields(await body('/webhooks/new'), '/webhooks/new/create'),
    url: 'https://a.example/hook',
    kinds: 'sale.*',
  };
  const made = await shop.browser.post('/webhooks/new/create', sent);
  const reloaded = await shop.browser.post('/webhooks/new/create', sent);
  expect(await body(reloaded.location ?? '')).toContain('sent twice and done once');
  expect(made.body).toMatch(/<code>whsec_[^<]+<\/code>/);
  const [webhook, ...others] = await shop.service.get('listWebhooks')();
  expect(others).toEqual([]);
  const path = `/webhooks/${webhook?.id}`;
  expect(webhook).toMatchObject({ url: 'https://a.example/hook', kinds: ['sale.*'] });
  expect(await body('/webhooks')).toContain('a.example');
  await shop.browser.submit(path, `${path}/ping`, {});
  receiver.answer = () => 500;
  await deliverAll(shop.service);
  expect(await body(path)).toMatch(/The answer has status 500\.[\s\S]*The next attempt is at: <time/);
  receiver.answer = () => 200;
  const again = await shop.browser.submit(path, `${path}/resend`, {});
  expect(again.status).toBe(303);
  await deliverAll(shop.service);
  expect(await body(path)).toContain('Delivered');
  await shop.browser.submit(path, `${path}/pause`, {});
  expect(await body(path)).toMatch(/You paused this webhook\.(?![\s\S]*\/resend)/);
  await shop.browser.submit(path, `${path}/pause`, {});
  expect(await body(path)).not.toContain('You paused this webhook.');
  expect((await shop.browser.submit(path, `${path}/rotate`, {})).body).toMatch(/whsec_/);
  expect(await body(path)).toContain('A former secret signs too until');
  const removed = await shop.browser.submit(path, `${path}/delete`, {});
  expect(removed.location).toContain('/webhooks?done=');
  expect(await shop.service.get('listWebhooks')()).toEqual([]);
});
