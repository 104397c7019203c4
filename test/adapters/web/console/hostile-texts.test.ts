import { afterEach, expect, test } from 'vitest';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import { anAccount } from '../../../support/account-builders.ts';
import { aDevice, anEntitlement, anOrder, anOrderItem, aProduct, aRelease } from '../../../support/builders.ts';
import { type Console, MEMBER, openConsole } from '../../../support/console.ts';
import { passed } from '../../../support/permits.ts';
import { aCrash, aFile, aReport, SENDER } from '../../../support/report-builders.ts';

const HOSTILE = '"><img src=x onerror=alert(1)><script>alert(1)</script>';
const localized = { en: HOSTILE, ko: HOSTILE };
const permit = grantPermit();

let shop: Console;
afterEach(() => shop.close());

const fill = async (): Promise<void> => {
  const { get, parts } = shop.service;
  const app_version = HOSTILE;
  const { slots } = await parts.devices.find(1, 7, null);
  await parts.devices.activate(permit, 1, 7, aDevice({ device_id: 'laptop', name: HOSTILE, app_version }), slots);
  const report = aReport({ summary: HOSTILE, detail: HOSTILE, app_version, app_bundle_id: HOSTILE });
  const files = { bundle: aFile('log', { name: HOSTILE.replaceAll('/', ''), type: 'text/html' }) };
  await passed(get('receiveSupportReport')({ account_id: 1, body: report, files }));
  const crash = aCrash(HOSTILE, { app_version, error_message: HOSTILE, os_version: HOSTILE, device_model: HOSTILE });
  await passed(get('receiveErrorReport')({ body: crash, owner: SENDER }));
  const event = { id: HOSTILE, type: HOSTILE, reason: HOSTILE, fault: undefined, buyer: HOSTILE, account_id: 1 };
  const received = { provider: 'shop', state: 'refused', received_at: get('clock').now(), body: HOSTILE } as const;
  await get('paymentEvents').save(permit, { ...received, ...event });
  await get('createApiKey')(permit, { account_id: 1, name: HOSTILE });
  await get('createAgentToken')(permit, { name: HOSTILE, role: 'orders' });
  await get('addMember')(permit, { email: 'ada@example.com', name: HOSTILE, role: 'support' });
  await get('createWebhook')(permit, { url: `https://shop.example/?${HOSTILE}`, kinds: [] });
  const browser = { browser: HOSTILE, address: '192.0.2.1', place: 'console' } as const;
  await get('openSession')(MEMBER.account_id, 'link', browser);
};

test('no text of a buyer, a device or a provider becomes markup on any console page', async () => {
  const items = [anOrderItem({ product_id: 7, product_name: localized })];
  shop = await openConsole({
    accounts: [anAccount({ id: 1, email: 'ada@example.com', name: HOSTILE })],
    products: [aProduct({ id: 7, slug: 'memo', name: localized, description: localized, type_label: localized })],
    entitlements: [anEntitlement({ id: 8, product_id: 7 })],
    orders: [anOrder({ number: HOSTILE, items, subscription_name: localized })],
    releases: [
      aRelease({ product_id: 7, notes_en: HOSTILE, withdrawn: { at: '2026-01-01T00:00:00.000Z', reason: HOSTILE } }),
    ],
  });
  await fill();
  const seen = new Set(['/']);
  for (const path of seen) {
    const { body, status, location } = await shop.browser.get(path);
    expect([path, status < 400 || status === 409, shop.faults]).toEqual([path, true, []]);
    expect([path, /<img src=x|<script>/.exec(body)?.[0]]).toEqual([path, undefined]);
    // A preview has the links of the buyers' pages.
    if (path.startsWith('/look/page')) continue;
    const links = [...body.matchAll(/ (?:href|src)="(\/[^"#]*)/g)].map(([, link = '']) =>
      link.replaceAll('&amp;', '&'),
    );
    for (const link of [...links, location ?? ''])
      if (/^\/(?!assets)/.test(link) && !link.includes('lang=')) seen.add(link);
  }
  const records = new Set([...seen].flatMap((path) => /^\/(\w+)\/./.exec(path)?.[1] ?? []));
  expect([...records].toSorted().join(' ')).toBe(
    'customers errors events look orders people products releases tickets webhooks',
  );
});
