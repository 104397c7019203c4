import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ASSETS } from '../../../../adapters/web/account/assets/assets.ts';
import { browserName, ownPlatformsFirst } from '../../../../adapters/web/account/browser-name.ts';
import { MESSAGES } from '../../../../adapters/web/account/messages/messages.ts';
import { undoView } from '../../../../adapters/web/account/pages/email.ts';
import { newKeyView } from '../../../../adapters/web/account/pages/keys.ts';
import { accountSite } from '../../../../adapters/web/account/site.ts';
import { consentView, leavingView } from '../../../../adapters/web/account/views/consent.ts';
import { deviceCodeView, deviceConfirmView } from '../../../../adapters/web/account/views/device.ts';
import { appErrorView, faultView } from '../../../../adapters/web/account/views/messages.ts';
import type { Page, View } from '../../../../adapters/web/account/views/page.ts';
import { proofView } from '../../../../adapters/web/account/views/proof.ts';
import { askedView, askView, linkView, signInView } from '../../../../adapters/web/account/views/sign-in.ts';
import { ABILITIES } from '../../../../domain/access/abilities.ts';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import { addDays } from '../../../../domain/shared/instant.ts';
import { LANGUAGES, type Language, localeFor } from '../../../../domain/shared/language.ts';
import { type PagesServer, servePages } from '../../../support/account-pages.ts';
import {
  aBill,
  aDevice,
  anArtifact,
  anOrder,
  aPaymentMethod,
  aProduct,
  aRelease,
  aSubscription,
  NOW,
} from '../../../support/builders.ts';
import { put } from '../../../support/contents.ts';
import { fillAccount } from '../../../support/full-account.ts';
import { PageBrowser } from '../../../support/page-browser.ts';
import { A_STOREFRONT } from '../../../support/public-builders.ts';
import { memoryService } from '../../../support/service.ts';

/** A text that breaks out of an element, or of an attribute in either kind of quotes, unless it is escaped. */
const HOSTILE = `"'><script>alert(1)</script><img src=x onerror=alert(2)>\${x}&lt;`;

const REQUEST = {
  uid: 'uid',
  client: { id: HOSTILE, name: HOSTILE, uri: HOSTILE, is_metadata_document: false },
  redirect_host: HOSTILE,
  redirects_to_this_machine: true,
  permissions: ABILITIES,
  resource: HOSTILE,
};
const WAITING = {
  client_id: 'x',
  client_name: HOSTILE,
  device: { device_id: HOSTILE, name: HOSTILE },
  created_at: NOW,
};
const METHODS = { password: true, upstream: { name: HOSTILE } };

/** Views that no link of a signed-in browser leads to. */
const VIEWS: Readonly<Record<string, View>> = {
  'new key': (page) => newKeyView(page, { name: HOSTILE, value: HOSTILE }),
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

/** Faults of a page's markup: text that became markup, scripts and styles of its own, unlabeled fields, repeated ids. */
const faultsOf = (body: string): string[] => {
  const ids = [...body.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id);
  const labeled = [...body.matchAll(/<(?:input|select) id="([^"]+)"/g)].map(([, id]) => `<label for="${id}"`);
  const describing = [...body.matchAll(/aria-describedby="([^"]+)"/g)].flatMap(([, about = '']) => about.split(' '));
  return [
    ...(body.match(/<script>|<style|<img src=x|\sstyle="|<[^>]*\son[a-z]+="/g) ?? []),
    // Every tag of the page has complete quoted attributes, so no text ended one early.
    ...(body.match(/<[a-z!/][^>]*>/gi) ?? []).filter(
      (tag) => !/^<[!/]?[a-z\d]+(?:\s+[a-z-]+(?:="[^"<>]*")?)*\s*>$/i.test(tag),
    ),
    ...ids.filter((id, n) => ids.indexOf(id) !== n),
    ...labeled.filter((label) => !body.includes(label)),
    ...describing.filter((id) => !ids.includes(id)),
  ];
};

describe('the views of account pages', () => {
  const cases = LANGUAGES.flatMap((language) => Object.keys(VIEWS).map((name) => [name, language] as const));

  test.each(cases)('the page "%s" (%s) escapes hostile text and labels its fields', async (name, language) => {
    const body = String(await VIEWS[name]?.(pageIn(language)));
    expect(faultsOf(body)).toEqual([]);
    expect(body).toContain('&lt;script&gt;');
  });

  test('the style sheet and the script load nothing from other hosts', () => {
    for (const { body } of ASSETS)
      expect(body.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|@import|url\(/);
  });
});

describe('the pages of an account full of hostile texts', () => {
  let server: PagesServer;
  let browser: PageBrowser;

  beforeAll(async () => {
    const service = memoryService();
    const text = { en: HOSTILE, ko: HOSTILE };
    await put(service, {
      storefront: { ...A_STOREFRONT, name: HOSTILE, languages: LANGUAGES, links: { site: text } },
      products: [
        aProduct({ id: 1, name: text, type_label: text, description: text, setup_steps: [text], license_keys: true }),
      ],
      releases: [aRelease({ product_id: 1, notes_en: HOSTILE, notes_ko: HOSTILE, artifacts: [anArtifact()] })],
    });
    const { credentials } = await fillAccount(service, 1, HOSTILE.replaceAll('/', ''));
    const seen = '2026-11-21T08:00:00.000Z';
    const shared = aDevice({
      device_id: 'shared',
      continuation: { current: HOSTILE, mismatches: [addDays(seen, -1), seen, seen] },
    });
    const { slots } = await service.get('devices').find(1, 1, shared.device_id);
    await service.get('devices').activate(grantPermit(), 1, 1, shared, slots);
    await put(service, {
      orders: [anOrder({ id: 9, payment_method: 'other' })],
      paymentMethods: ['4242', null].map((last4, n) => aPaymentMethod({ id: 7 + n, brand: 'other', last4 })),
      subscriptions: [aSubscription({ id: 8, billing: aBill({ payment_method_id: 8 }) })],
    });
    server = await servePages({ parts: service.parts });
    browser = new PageBrowser(server.url);
    browser.jar.set('account-session', credentials.cookie);
  });
  afterAll(() => server.close());

  test.each(LANGUAGES)('every page that a link leads to escapes them and labels its fields (%s)', async (language) => {
    const seen = new Set([`/?lang=${language}`]);
    for (const path of seen) {
      const { body, status, location } = await browser.get(path);
      expect([path, status < 400, server.faults, faultsOf(body)]).toEqual([path, true, [], []]);
      const links = [...body.matchAll(/ href="(\/[^"#]*)/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'));
      for (const link of [...links, location ?? ''])
        if (/^\/(?!assets)/.test(link) && !/lang=|\/download|\/files\//.test(link)) seen.add(link);
    }
    const pages = '/library/1 /orders/9 /orders/100 /devices?product=1 /keys /apps /security /profile/erase /teams';
    expect([...seen]).toEqual(expect.arrayContaining(pages.split(' ')));
  });

  test.each([
    ['en', 'Two machines use this as one device, as was seen on 21 November 2026.'],
    ['ko', '두 대의 기기가 이 기기 한 대로 사용되고 있습니다(2026년 11월 21일 확인).'],
    ['de', 'Zwei Computer nutzen dies als ein Gerät, wie am 21. November 2026 festgestellt wurde.'],
  ])('the devices page says in %s that two machines use one device', async (language, sentence) => {
    expect((await browser.get(`/devices?lang=${language}`)).body).toContain(sentence);
  });

  test('a payment method that its provider only calls other is shown by its kind or not at all', async () => {
    const shown = [(await browser.get('/orders?lang=en')).body, (await browser.get('/orders/9')).body].join('');
    expect(shown).not.toMatch(/\bother\b(?! device)/i);
    expect(shown).not.toContain('<dt>Payment method</dt>');
    expect(shown).toContain('<li>Card <span class="inline">•••• 4242</span>');
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
