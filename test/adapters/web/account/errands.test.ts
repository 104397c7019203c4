import { afterAll, beforeAll, expect, test } from 'vitest';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import { toInstant } from '../../../../domain/shared/instant.ts';
import type { Service } from '../../../../runtimes/composition/bootstrap.ts';
import { aBuyersService, openPages, type PagesServer } from '../../../support/account-pages.ts';
import {
  aBill,
  aDevice,
  anArtifact,
  anEntitlement,
  anOrder,
  aPaymentMethod,
  aProduct,
  aRelease,
  aSubscription,
} from '../../../support/builders.ts';
import { hiddenFields, type PageBrowser } from '../../../support/page-browser.ts';
import { A_STOREFRONT } from '../../../support/public-builders.ts';

const NOW = toInstant(Date.now());
const CARD = 'https://pay.example.com/card';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.4 Safari/605.1.15';

let service: Service;
let server: PagesServer;
let browser: PageBrowser;

beforeAll(async () => {
  service = await aBuyersService({
    storefront: A_STOREFRONT,
    products: [aProduct({ id: 1, name: { en: 'Hashcheck' }, device_limit: 2, license_keys: true })],
    entitlements: [anEntitlement({ id: 1, product_id: 1 })],
    releases: [
      aRelease({ artifacts: [anArtifact({ platform: 'darwin-arm64' }), anArtifact({ platform: 'linux-amd64' })] }),
    ],
    orders: [5, 6].map((id) => anOrder({ id, ordered_at: NOW, paid_at: NOW })),
    subscriptions: [
      aSubscription({
        ends_at: '2099-01-01T00:00:00.000Z',
        billing: aBill({
          next_charge_at: '2099-01-01T00:00:00.000Z',
          payment_method_id: 1,
          update_payment_method_url: CARD,
        }),
      }),
    ],
    paymentMethods: [aPaymentMethod()],
  });
  const { slots } = await service.get('devices').find(1, 1, null);
  await service.get('devices').activate(grantPermit(), 1, 1, aDevice({ device_id: 'laptop' }), slots);
  ({ server, browser } = await openPages(service));
});

afterAll(() => server.close());

type Step = string | { readonly form: string; readonly fields?: Readonly<Record<string, string>> };

/**
 * The page where an errand ends, and its clicks from the first page. Each step is a link of the previous page, by the
 * beginning of its URL, or a form there. A link that leaves this host ends the walk.
 */
const walk = async (steps: readonly Step[]) => {
  let body = (await browser.get('/library', { 'user-agent': MAC })).body;
  let at = '/library';
  for (const step of steps) {
    if (typeof step === 'string') {
      const links = [...body.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
      const link = links.find((href) => href === step) ?? links.find((href) => href.startsWith(step));
      expect(link, `${at} has a link to ${step}`).toBeDefined();
      at = link ?? '';
      if (!at.startsWith('/')) break;
      const answer = await browser.get(at);
      [body, at] = [answer.body, answer.location ?? at];
    } else {
      const sent = await browser.post(step.form, { ...hiddenFields(body, step.form), ...step.fields });
      at = sent.location ?? at;
      body = sent.location === null ? sent.body : (await browser.get(at)).body;
    }
  }
  return { clicks: steps.length, at, body };
};

test.each<[string, readonly Step[], number, string | RegExp]>([
  ['finds the newest download for a Mac', ['/library/download?product=1&release=1&platform=darwin'], 1, /signature=/],
  ['opens a receipt to print', ['/orders', '/orders/5'], 2, 'data-print'],
  ['sees the next charge', ['/orders'], 1, 'Next charge'],
  ['changes the card', ['/orders', CARD], 2, CARD],
  ['names a device', ['/devices', { form: '/devices/rename', fields: { name: 'Desk' } }], 2, '<h2>Desk</h2>'],
  ['frees a device', ['/devices', { form: '/devices/release' }], 2, 'no longer uses Hashcheck.'],
  [
    'makes a key for an agent',
    ['/devices', '/keys', { form: '/keys', fields: { use: 'agent', name: 'Agent' } }],
    3,
    'svc_',
  ],
  ['gets a license key anew', ['/library/1', { form: '/library/license-key' }], 2, 'lic_'],
  [
    'withdraws from an order',
    ['/orders', '/orders/5', { form: '/orders/withdraw' }],
    3,
    'The shop has your withdrawal.',
  ],
  ['finds support, with the ticket of the withdrawal', ['/support'], 1, 'Withdrawal from order'],
  [
    'withdraws in Korean, and finds a ticket in Korean',
    ['/orders', '/orders?lang=ko', '/orders/6', { form: '/orders/withdraw' }, '/support'],
    5,
    /주문 \S+ 청약철회/,
  ],
])('a buyer %s', async (_, steps, most, found) => {
  const { clicks, at, body } = await walk(steps);
  expect(clicks).toBeLessThanOrEqual(most);
  expect(`${at}\n${body}`).toMatch(found);
});
