import { describe, expect, test } from 'vitest';
import { ASSETS } from '../../../../adapters/web/account/assets/assets.ts';
import { browserName, ownPlatformsFirst } from '../../../../adapters/web/account/browser-name.ts';
import { MESSAGES } from '../../../../adapters/web/account/messages/messages.ts';
import { devicesView } from '../../../../adapters/web/account/pages/devices.ts';
import { undoView } from '../../../../adapters/web/account/pages/email.ts';
import { keysView, newKeyView } from '../../../../adapters/web/account/pages/keys.ts';
import { libraryView, productView } from '../../../../adapters/web/account/pages/library.ts';
import { ordersView, orderView } from '../../../../adapters/web/account/pages/orders.ts';
import { securityView } from '../../../../adapters/web/account/pages/security.ts';
import { supportView, ticketView } from '../../../../adapters/web/account/pages/support.ts';
import { accountSite } from '../../../../adapters/web/account/site.ts';
import { appsView } from '../../../../adapters/web/account/views/apps.ts';
import { consentView, leavingView } from '../../../../adapters/web/account/views/consent.ts';
import { deviceCodeView, deviceConfirmView } from '../../../../adapters/web/account/views/device.ts';
import { appErrorView, faultView } from '../../../../adapters/web/account/views/messages.ts';
import type { Page, View } from '../../../../adapters/web/account/views/page.ts';
import { proofView } from '../../../../adapters/web/account/views/proof.ts';
import { askedView, askView, linkView, signInView } from '../../../../adapters/web/account/views/sign-in.ts';
import type { Purchase } from '../../../../application/billing/list-purchases.ts';
import type { OwnTicket } from '../../../../application/support/tickets.ts';
import { ABILITIES } from '../../../../domain/access/abilities.ts';
import { machinesOf } from '../../../../domain/devices/machines.ts';
import { addDays } from '../../../../domain/shared/instant.ts';
import { LANGUAGES, type Language, localeFor } from '../../../../domain/shared/language.ts';
import { aDevice, anApiKey, anInvoice, NOW } from '../../../support/builders.ts';

/** A text that breaks out of an element, or of an attribute in either kind of quotes, unless it is escaped. */
const HOSTILE = `"'><script>alert(1)</script><img src=x onerror=alert(2)>\${x}&lt;`;

const PURCHASE: Purchase = {
  id: 1,
  name: HOSTILE,
  type_label: HOSTILE,
  description: HOSTILE,
  license: {
    state: 'active',
    source: 'direct',
    access_expires_at: null,
    updates_supported_until: null,
    edition: null,
    features: [],
  },
  devices: { used: 1, limit: 2 },
  license_keys: [{ prefix: HOSTILE }],
  release: { version: HOSTILE, channel: 'stable', released_at: NOW },
  files: [
    {
      release_id: 1,
      version: HOSTILE,
      channel: 'beta',
      platform: null,
      filename: HOSTILE,
      size: 1,
      sha256: HOSTILE,
      notes: HOSTILE,
    },
  ],
  older: [{ release_id: 2, version: HOSTILE, channel: 'beta', released_at: NOW, files: [{ platform: null, size: 1 }] }],
  bundled: [{ id: 1, name: HOSTILE }],
  has_picture: true,
  agent_tools: [HOSTILE],
  uncovered_version: HOSTILE,
  installed: { version: HOSTILE, installed_at: NOW },
  setup: {
    completed_step_indexes: [0],
    completed_count: 1,
    total_count: 1,
    progress_percent: 100,
    completed: true,
    completed_at: NOW,
    steps: [HOSTILE],
  },
};
const SHARED = { current: HOSTILE, mismatches: [addDays(NOW, -1), NOW, NOW] };
const SEAT = aDevice({ device_id: HOSTILE, name: HOSTILE, continuation: SHARED });
const DEVICE = { ...SEAT, withdrawn: true, is_session: false };
const SESSION = {
  id: 1,
  hash: '',
  account_id: 1,
  method: 'link',
  browser: HOSTILE,
  created_at: NOW,
  last_seen_at: NOW,
} as const;
const PASSKEY = {
  id: HOSTILE,
  account_id: 1,
  name: HOSTILE,
  public_key: '',
  counter: 0,
  transports: [],
  created_at: NOW,
  last_used_at: null,
};
const FORM = { name: HOSTILE, use: null, abilities: [], product: HOSTILE, expires: HOSTILE };
const NOTICE = { kind: 'done', text: HOSTILE } as const;
const KEY = {
  ...anApiKey({ name: HOSTILE, prefix: HOSTILE, kind: 'device', device: { device_id: HOSTILE, name: HOSTILE } }),
  client_name: HOSTILE,
  ends_at: null,
};
const REQUEST = {
  uid: 'uid',
  client: { id: HOSTILE, name: HOSTILE, uri: HOSTILE, is_metadata_document: false },
  redirect_host: HOSTILE,
  redirects_to_this_machine: true,
  permissions: ABILITIES,
  resource: HOSTILE,
};
const APP = {
  grant_id: HOSTILE,
  account_id: 1,
  client_id: HOSTILE,
  client_name: HOSTILE,
  redirect_host: HOSTILE,
  permissions: ABILITIES,
  created_at: NOW,
  last_used_at: NOW,
};
const WAITING = {
  client_id: 'x',
  client_name: HOSTILE,
  device: { device_id: HOSTILE, name: HOSTILE },
  created_at: NOW,
};
const METHODS = { password: true, upstream: { name: HOSTILE } };

const SHOWN = { ...PURCHASE, own: PURCHASE.files[0] };
const OWN_DEVICE = { ...DEVICE, offline_until: NOW, released_at: null };
const DEVICES = { id: 1, name: HOSTILE, device_limit: 1, used: 2, devices: [OWN_DEVICE], next: HOSTILE };
const ITEM = { id: 1, product_id: 1, product_name: HOSTILE, product_url: HOSTILE, list_unit_price_cents: 2 };
const ORDER = {
  id: 1,
  number: HOSTILE,
  status: 'paid' as const,
  status_label: HOSTILE,
  subtotal_cents: 2,
  discount_total_cents: 1,
  total_cents: 1,
  currency: 'EUR',
  payment_method: HOSTILE,
  items: [
    {
      ...ITEM,
      unit_price_cents: 1,
      quantity: 2,
      subtotal_cents: 2,
      discount_total_cents: 1,
      total_cents: 1,
      entitlements: [],
    },
  ],
  can_withdraw: true,
  receipt_url: HOSTILE,
  billing: null,
  invoice: { number: HOSTILE, url: HOSTILE },
  vat_rate: HOSTILE,
  sold_by: null,
  supply_cents: 1,
  vat_cents: 0,
  subscription_name: HOSTILE,
  ordered_at: NOW,
  paid_at: NOW,
  withdraw_until: NOW,
  withdrawal: { declared_at: NOW, ticket_id: 3 },
  refunds: [{ refunded_at: NOW, item_ids: [1], keeps_access: false, amount_cents: null }],
};
const INVOICE = {
  ...anInvoice({ number: HOSTILE, order_id: 1, pdf_url: HOSTILE, receipt_url: HOSTILE }),
  status_label: HOSTILE,
};
const BILLED = { name: HOSTILE, address: `${HOSTILE}\n${HOSTILE}`, tax_number: HOSTILE };
const METHOD = {
  id: 1,
  type: 'card' as const,
  type_label: HOSTILE,
  brand: HOSTILE,
  last4: HOSTILE,
  masked_number: HOSTILE,
  exp_month: 1,
  exp_year: 2030,
  expired: false,
  is_default: true,
};
const SUBSCRIPTION = {
  id: 1,
  name: HOSTILE,
  included: { by: HOSTILE },
  product_ids: [1],
  status: 'active' as const,
  status_label: HOSTILE,
  is_trial: false,
  starts_at: NOW,
  ends_at: NOW,
  cancelled_at: null,
  order_id: 1,
  order_number: HOSTILE,
  can_cancel: true,
  cancel_at_period_end: false,
  access_ends_at: NOW,
  next_charge_at: NOW,
  renewal_amount_cents: 1,
  renewal_currency: 'EUR',
  payment_method_brand: HOSTILE,
  payment_method_last4: HOSTILE,
  is_apps_subscription: true,
  offer_code: HOSTILE,
  offer_name: HOSTILE,
  action: 'cancel' as const,
  estimated_krw_amount: 1,
  estimated_krw_exchange_rate: HOSTILE,
  estimated_krw_exchange_source: HOSTILE,
  estimated_krw_currency: 'KRW',
  update_card_url: HOSTILE,
  update_payment_method_url: HOSTILE,
  renewal_url: HOSTILE,
};

const TICKET: OwnTicket = {
  id: 1,
  kind: 'general',
  status: 'open',
  summary: HOSTILE,
  created_at: NOW,
  product_id: 1,
  answer_count: 2,
  is_answered: false,
};

const DUE = { name: HOSTILE, access_ends_at: NOW, update_payment_method_url: HOSTILE };
const LISTED = { sought: HOSTILE, isLong: true, due: DUE };

const VIEWS: Readonly<Record<string, View>> = {
  library: (page) =>
    libraryView(page, { purchases: [SHOWN], ...LISTED, sort: 'name', turn: 2, total: 60, notice: NOTICE }),
  'library without a match': (page) =>
    libraryView(page, { purchases: [], ...LISTED, sort: 'released', turn: 1, total: 0, notice: null }),
  product: (page) =>
    productView(page, {
      begins: null,
      orders: [ORDER],
      guides: ['manual', 'usage', 'architecture'],
      due: DUE,
      purchase: SHOWN,
      now: NOW,
      isSaved: true,
      mcp: `https://api.example/${HOSTILE}`,
      notice: NOTICE,
    }),
  orders: (page) =>
    ordersView(page, {
      subscriptions: [SUBSCRIPTION],
      bills: [
        { order: ORDER, invoices: [] },
        { order: null, invoices: [INVOICE] },
      ],
      methods: [METHOD],
      turn: 1,
      hasMore: true,
    }),
  order: (page) =>
    orderView(page, { order: ORDER, invoices: [INVOICE], billed: BILLED, sent: undefined, notice: NOTICE }),
  'order of a merchant of record': (page) =>
    orderView(page, {
      order: { ...ORDER, sold_by: HOSTILE },
      invoices: [],
      billed: null,
      sent: undefined,
      notice: null,
    }),
  devices: (page) =>
    devicesView(page, {
      products: [DEVICES, { ...DEVICES, id: 2 }],
      machines: machinesOf([DEVICES, { ...DEVICES, id: 2 }], [KEY]),
      product: null,
      after: null,
      request: HOSTILE,
      notice: NOTICE,
    }),
  'devices of one product': (page) =>
    devicesView(page, {
      products: [{ ...DEVICES, device_limit: null }],
      machines: machinesOf([DEVICES], []),
      product: 1,
      after: HOSTILE,
      request: null,
      notice: null,
    }),
  keys: (page) =>
    keysView(page, {
      keys: [KEY],
      products: [{ id: 1, name: HOSTILE }],
      form: FORM,
      faults: { name: HOSTILE, abilities: HOSTILE, product: HOSTILE, expires: HOSTILE },
      limit: 3,
      once: HOSTILE,
      today: '2026-11-22',
      notice: NOTICE,
    }),
  'new key': (page) => newKeyView(page, { name: HOSTILE, value: HOSTILE }),
  apps: (page) => appsView(page, { apps: [APP], mcp: `https://api.example/${HOSTILE}`, notice: NOTICE }),
  security: (page) =>
    securityView(page, {
      sessions: [SESSION, { ...SESSION, id: 2 }],
      current: 1,
      password: {
        has_password: true,
        needs_current: true,
        passkeys: [{ tag: HOSTILE, name: HOSTILE, is_new: true }],
        alone: false,
        fault: null,
      },
      passkeys: [PASSKEY],
      notice: NOTICE,
    }),
  support: (page) =>
    supportView(page, {
      tickets: { data: [TICKET], next_after: HOSTILE },
      products: [{ id: 1, name: HOSTILE }],
      form: { kind: 'general', summary: HOSTILE, detail: '', product: 1, isIncomplete: true, fileFault: 'again' },
    }),
  ticket: (page) =>
    ticketView(page, {
      ticket: {
        ...TICKET,
        detail: HOSTILE,
        answers: [
          { number: 1, answered_at: NOW, text: HOSTILE },
          { number: 2, answered_at: NOW, text: HOSTILE, from: 'buyer' },
        ],
        files: [
          { number: 1, name: HOSTILE, size: 1200 },
          { number: 22, name: HOSTILE, size: 1, answer: 2 },
        ],
        older: 1,
      },
      products: [{ id: 1, name: HOSTILE }],
      reply: { text: HOSTILE, fileFault: 'tooLarge' },
    }),
  'sign in': (page) =>
    signInView(page, { next: HOSTILE, email: HOSTILE, fault: HOSTILE, methods: METHODS, passkeys: true, mails: true }),
  'sign-in link by mail': (page) => askView(page, { next: HOSTILE, email: HOSTILE, fault: HOSTILE }),
  'undone change': (page) => undoView(page, { code: HOSTILE, email: HOSTILE, fault: HOSTILE }),
  proof: (page) =>
    proofView(page, {
      action: '/keys',
      fields: [[HOSTILE, HOSTILE]],
      by_password: true,
      again: '/sign-in',
      fault: null,
    }),
  'sign-in link asked for': (page) => askedView(page, { next: HOSTILE, email: HOSTILE }),
  link: (page) => linkView(page, { code: HOSTILE, next: HOSTILE, email: HOSTILE, isMobile: true, fault: HOSTILE }),
  'device code': (page) => deviceCodeView(page, { code: HOSTILE, fault: null }),
  'device question': (page) =>
    deviceConfirmView(page, {
      code: HOSTILE,
      client: HOSTILE,
      signIn: WAITING,
      replaced: { name: HOSTILE, device: null },
    }),
  consent: (page) => consentView(page, REQUEST),
  leaving: (page) => leavingView(page, `https://app.example/?state=${HOSTILE}`),
  fault: (page) => faultView(page, HOSTILE),
  'app error': (page) => appErrorView(page, { error: HOSTILE, error_description: HOSTILE }),
};

/** The pages that the script improves. */
const SCRIPTED = [
  'security',
  'apps',
  'sign in',
  'new key',
  'product',
  'order',
  'order of a merchant of record',
  'device question',
];

const pageIn = (language: Language): Page => ({
  language,
  locale: localeFor(language),
  m: MESSAGES[language],
  csrf: HOSTILE,
  here: `/device?user_code=${HOSTILE}`,
  site: accountSite('https://account.example', true),
  shop: {
    storefront: {
      product_url: null,
      product_detail_url: null,
      name: HOSTILE,
      links: { site: { en: HOSTILE }, billing: { en: HOSTILE }, terms: { ko: HOSTILE }, refunds: { en: HOSTILE } },
    },
    disclosure: null,
  },
  email: HOSTILE,
});

describe('the views of account pages', () => {
  const cases = LANGUAGES.flatMap((language) => Object.keys(VIEWS).map((name) => [name, language] as const));

  test.each(cases)('the page "%s" (%s) escapes hostile text', async (name, language) => {
    const body = String(await VIEWS[name]?.(pageIn(language)));
    expect(body).not.toContain('<script>alert');
    expect(body.replaceAll(/<img class="picture" src="\/assets\/pictures\/1" alt=""/g, '')).not.toContain('<img');
    // Every tag of the page has complete quoted attributes, so no text ended one early.
    const tags = body.match(/<[a-z!/][^>]*>/gi) ?? [];
    expect(tags.filter((tag) => !/^<[!/]?[a-z\d]+(?:\s+[a-z-]+(?:="[^"<>]*")?)*\s*>$/i.test(tag))).toEqual([]);
    expect(body).toContain('&lt;script&gt;');
  });

  test.each(cases)('the page "%s" (%s) has no script, style or handler of its own', async (name, language) => {
    const body = String(await VIEWS[name]?.(pageIn(language)));
    expect(body.match(/<script/g)?.length ?? 0).toBe(SCRIPTED.includes(name) ? 1 : 0);
    expect(body).not.toMatch(/<style|\sstyle="|\son[a-z]+="/);
  });

  test.each(cases)('each field of the page "%s" (%s) has a label, and ids are unique', async (name, language) => {
    const body = String(await VIEWS[name]?.(pageIn(language)));
    const ids = [...body.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, id] of body.matchAll(/<(?:input|select) id="([^"]+)"/g)) expect(body).toContain(`<label for="${id}"`);
    for (const [, about] of body.matchAll(/aria-describedby="([^"]+)"/g)) {
      for (const id of (about as string).split(' ')) expect(ids).toContain(id);
    }
  });

  test.each([
    ['en', 'Two machines use this as one device, as was seen on 21 November 2026.'],
    ['ko', '두 대의 기기가 이 기기 한 대로 사용되고 있습니다(2026년 11월 21일 확인).'],
    ['de', 'Zwei Computer nutzen dies als ein Gerät, wie am 21. November 2026 festgestellt wurde.'],
  ] as const)('the devices page says in %s that two machines use one device', async (language, sentence) => {
    expect(String(await VIEWS.devices?.(pageIn(language)))).toContain(sentence);
  });

  test('a payment method that its provider only calls other is shown by its kind or not at all', () => {
    const page = pageIn('en');
    const subscription = { ...SUBSCRIPTION, payment_method_brand: 'other', payment_method_last4: null };
    const methods = [{ ...METHOD, brand: 'other', last4: '4242' }];
    const shown = [
      ordersView(page, { subscriptions: [subscription], bills: [], methods, turn: 1, hasMore: false }),
      orderView(page, {
        order: { ...ORDER, payment_method: 'other' },
        invoices: [],
        billed: null,
        sent: undefined,
        notice: null,
      }),
    ].join('');
    expect(shown).not.toMatch(/\bother\b/i);
    expect(shown).not.toContain('<dt>Payment method</dt>');
    expect(shown).toContain(
      '<li>Card <span class="inline">•••• 4242</span> <span class="aside">valid until 01/2030</span>',
    );
  });

  test('the style sheet and the script load nothing from other hosts', () => {
    for (const { body } of ASSETS)
      expect(body.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|@import|url\(/);
  });
});

describe('the name of a browser', () => {
  test.each([
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on macOS'],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
      'Chrome on Linux',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    [undefined, ''],
    ['', ''],
    ['<script>', ''],
    ['x'.repeat(100_000), ''],
  ])('the user agent %j is shown as %j', (header, name) => {
    expect(browserName(header)).toBe(name);
  });

  test('Korean names the system first, and an unnamed browser is unknown', () => {
    const names = ['Chrome on Linux', 'Firefox', ''].map(MESSAGES.ko.browser);
    expect(names).toEqual(['Linux의 Chrome', 'Firefox', '알 수 없는 브라우저']);
  });

  test.each([
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    'Mozilla/5.0 (Windows NT 10.0; WOW64; rv:140.0) Gecko/20100101 Firefox/140.0',
  ])('a browser on Windows gets the file for its own platform first (%s)', (header) => {
    const files = (['darwin-arm64', 'linux-amd64', 'windows-arm64', 'windows-amd64'] as const).map((platform) => ({
      platform,
    }));
    expect(files.toSorted(ownPlatformsFirst(header)).map(({ platform }) => platform)).toEqual([
      'windows-amd64',
      'windows-arm64',
      'darwin-arm64',
      'linux-amd64',
    ]);
  });
});
