import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import type { Storefront } from '../../../../domain/catalog/catalog.ts';
import { toInstant } from '../../../../domain/shared/instant.ts';
import type { Service } from '../../../../runtimes/composition/bootstrap.ts';
import { aBuyersService, openPages, type PagesServer } from '../../../support/account-pages.ts';
import {
  aBill,
  aBundle,
  anArtifact,
  anEntitlement,
  anInvoice,
  anOrder,
  aProduct,
  aRelease,
  aSubscription,
} from '../../../support/builders.ts';
import { type Contents, put } from '../../../support/contents.ts';
import { hiddenFields, type PageBrowser } from '../../../support/page-browser.ts';
import { A_STOREFRONT } from '../../../support/public-builders.ts';
import { aReport } from '../../../support/report-builders.ts';

const PAST = '2026-01-31T00:00:00.000Z';
const STEPS = [
  { en: 'Unpack it', ko: '압축 풀기' },
  { en: 'Run it', ko: '실행하기' },
];
const FUTURE = '2099-01-31T00:00:00.000Z';
const RENEWAL = 'https://pay.example.com/renew';

test('a list of 63 products is shown in pages of 20 whose links keep the search and the order', async () => {
  const ids = Array.from({ length: 63 }, (_, n) => n + 1);
  const opened = await openPages(
    await aBuyersService({
      products: ids.map((id) => aProduct({ id, name: { en: `Tool ${id}` } })),
      entitlements: ids.map((id) => anEntitlement({ id, product_id: id })),
    }),
  );
  onTestFinished(() => opened.server.close());
  const page = async (query: string) => {
    const { body } = await opened.browser.get(`/library?${query}`);
    const link = (rel: string) => new RegExp(`rel="${rel}" href="([^"]+)"`).exec(body)?.[1]?.replaceAll('&amp;', '&');
    const [, range] = /<span class="count">([^<]+)</.exec(body) ?? [];
    const shown = [...body.matchAll(/<h2><a href="\/library\/(\d+)">/g)].map(([, id]) => id);
    return { shown, range, prev: link('prev'), next: link('next') };
  };
  const turns = await Promise.all([1, 2, 3, 4].map((turn) => page(`sort=name&page=${turn}`)));
  expect(turns.map(({ shown }) => shown.length)).toEqual([20, 20, 20, 3]);
  expect(new Set(turns.flatMap(({ shown }) => shown)).size).toBe(63);
  expect(turns.map(({ range }) => range)).toEqual(['1–20 of 63', '21–40 of 63', '41–60 of 63', '61–63 of 63']);
  expect([turns[0]?.prev, turns[3]?.next]).toEqual([undefined, undefined]);
  const found = await page('q=tool&page=2');
  expect(found).toMatchObject({ prev: '/library?sort=released&q=tool', next: '/library?sort=released&q=tool&page=3' });
  expect((await page('page=99')).shown).toEqual((await page('page=4')).shown);
  expect((await page('q=tool 63')).range).toBeUndefined();
});

describe('the page of purchases', () => {
  let server: PagesServer;
  let service: Service;
  let browser: PageBrowser;

  beforeAll(async () => {
    service = await aBuyersService({
      products: [
        aProduct({
          id: 1,
          name: { en: 'Hashcheck', ko: '해시체크' },
          device_limit: 2,
          setup_steps: STEPS,
          license_keys: true,
        }),
        aProduct({ id: 2, name: { en: 'Old Notes' }, license_keys: true }),
        aProduct({ id: 3, name: { en: 'Somebody else’s' } }),
        aProduct({ id: 4, name: { en: 'Two Windows' } }),
      ],
      entitlements: [
        anEntitlement({ id: 1, product_id: 1, access_expires_at: FUTURE }),
        anEntitlement({ id: 2, product_id: 2, access_expires_at: PAST }),
        anEntitlement({ id: 3, product_id: 3, account_id: 2 }),
        anEntitlement({ id: 4, product_id: 4, updates_supported_until: PAST }),
      ],
      releases: [
        aRelease({
          id: 1,
          product_id: 1,
          version: '1.2.0',
          artifacts: [
            anArtifact({ platform: 'darwin-arm64', filename: 'mac', sha256: 'a'.repeat(64) }),
            anArtifact({ platform: 'linux-amd64', filename: 'linux', sha256: 'b'.repeat(64) }),
          ],
        }),
        aRelease({
          id: 4,
          product_id: 1,
          version: '1.9.0',
          notes_en: 'Starts faster.\nUses <less> memory.',
          artifacts: [
            anArtifact({ platform: 'darwin-arm64', filename: 'mac', size: 12_345_678, sha256: 'c'.repeat(64) }),
          ],
        }),
        aRelease({ id: 2, product_id: 4, version: '1.0.0' }),
        aRelease({ id: 3, product_id: 4, version: '2.0.0', released_at: '2026-06-01T00:00:00.000Z' }),
      ],
    });
    for (const [id, version] of ['1.2.0', '1.9.0'].entries()) {
      const install = { id: id + 1, account_id: 1, key_id: null, product_id: 1, version, bundle_id: null };
      const installed_at = `2026-02-0${id + 2}T12:00:00.000Z`;
      const reported = { release_id: null, artifact_sha256: null, installed_at, recorded_at: installed_at };
      await service.get('installs').record(grantPermit(), { ...install, ...reported });
    }
    ({ server, browser } = await openPages(service));
  });

  afterAll(() => server.close());

  test('a license key is made on its product’s page, shown once, and can be replaced there', async () => {
    const make = () => browser.submit('/library/1', '/library/license-key', {});
    expect((await browser.get('/library/1')).body).toContain('None yet');
    const values: string[] = [];
    for (const question of ['It is shown only once', 'works until the new one is first used']) {
      expect((await browser.get('/library/1')).body).toContain(question);
      const made = await make();
      expect(made.status).toBe(201);
      const [, value = ''] = /<code id="value"[^>]*>(lic_[^<]+)<\/code>/.exec(made.body) ?? [];
      values.push(value);
      const { body } = await browser.get('/library/1');
      expect(body).toContain(`${value.slice(0, 14)}…`);
      expect(body).not.toContain(value);
    }
    const live = await Promise.all(values.map(async (value) => (await service.get('authenticate')(value)).ok));
    expect(live).toEqual([true, true]);
    const keyPage = (await browser.get('/keys', { 'accept-language': 'ko' })).body;
    expect(keyPage).toContain('<h3>라이선스 키</h3>');
  });

  test('a license key from elsewhere is redeemed in the library, and an incomplete one is reported', async () => {
    const own = await aBuyersService({ products: [aProduct({ id: 2, license_keys: true })] });
    const opened = await openPages(own);
    onTestFinished(() => opened.server.close());
    const terms = { product_id: 2, access_days: null, updates_days: null, device_limit: null };
    const made = await own.get('createKeyBatch')(grantPermit(), { name: 'Giveaway', count: 1, ...terms });
    const [value = ''] = made.ok ? made.value.keys : [];
    const redeem = async (key: string) => {
      const { location } = await opened.browser.submit('/library', '/library/redeem', { key });
      return (await opened.browser.get(location ?? '')).body;
    };
    expect(await redeem(value.slice(0, -1))).toContain('This license key can’t be redeemed');
    expect(await redeem(value)).toContain('The license key belongs to your account now.');
    expect((await own.get('authenticate')(value)).ok).toBe(true);
    expect((await opened.browser.get('/library/2')).body).toContain(`${value.slice(0, 14)}…`);
  });

  test('a product that shows license keys again does so and explains the risk', async () => {
    const opened = await openPages(
      await aBuyersService({
        products: [aProduct({ id: 1, license_keys: { shown: true } })],
        entitlements: [anEntitlement({ id: 1, product_id: 1 })],
      }),
    );
    onTestFinished(() => opened.server.close());
    const made = await opened.browser.submit('/library/1', '/library/license-key', {});
    const [, value = ''] = /<code id="value"[^>]*>(lic_[^<]+)<\/code>/.exec(made.body) ?? [];
    const page = (await opened.browser.get('/library/1')).body;
    expect(page).toContain('This shop keeps your license key, encrypted');
    expect(page).not.toContain(value);
    expect((await opened.browser.submit('/library/1', '/library/license-key/show', {})).body).toContain(value);
  });

  test.each([
    ['that hands out none', '4'],
    ['whose access has ended', '2'],
    ['of somebody else', '3'],
  ])('a product %s offers no license key', async (_, product) => {
    const form = hiddenFields((await browser.get('/library/1')).body, '/library/license-key');
    expect(form['product']).toBe('1');
    expect((await browser.post('/library/license-key', { ...form, product })).status).toBe(404);
  });

  test('each product shows its license in words, in the visitor’s language', async () => {
    const english = (await browser.get('/library', { 'accept-language': 'en' })).body;
    expect(english).toContain('Valid until 31 January 2099');
    expect(english).toContain('Ended on 31 January 2026');
    const updates = (await browser.get('/library/4', { 'accept-language': 'en' })).body;
    expect(updates).toContain('Ended on 31 January 2026');
    expect(updates).toContain('Version 2.0.0 came out after your updates ended.');
    expect((await browser.get('/library/1', { 'accept-language': 'en' })).body).toContain('0 of 2 in use');
    expect(english).not.toContain('Somebody else');
    const korean = (await browser.get('/library', { 'accept-language': 'ko' })).body;
    expect(korean).toContain('<html lang="ko">');
    expect(korean).toContain('해시체크');
    expect(korean).toContain('2099년 1월 31일까지 사용 가능');
  });

  test('no page calls a license a purchase, because it may have been granted without an order', async () => {
    for (const [language, name] of [
      ['en', 'Hashcheck'],
      ['ko', '해시체크'],
    ] as const) {
      const { body } = await browser.get('/library', { 'accept-language': language });
      expect(body).toContain(name);
      expect(body).not.toMatch(/purchase|구매/i);
    }
  });

  test.each([
    ['en', '<dt>Last installed</dt><dd>1.9.0, on 3 February 2026</dd>'],
    ['ko', '<dt>마지막 설치</dt><dd>1.9.0 (2026년 2월 3일)</dd>'],
  ])('a product shows the newest reported install, and one without any has no such line (%s)', async (language, line) => {
    const [used, unused] = await Promise.all(
      [1, 4].map((id) => browser.get(`/library/${id}`, { 'accept-language': language })),
    );
    expect(used?.body).toContain(line);
    expect(unused?.body).not.toContain(line.slice(0, line.indexOf('</dt>')));
  });

  const linksOf = async (userAgent: string, path = '/library/1'): Promise<string[]> => {
    const { body } = await browser.get(path, { 'user-agent': userAgent });
    return [...body.matchAll(/href="(\/library\/download[^"]*)"/g)].map(([, link = '']) =>
      link.replaceAll('&amp;', '&'),
    );
  };
  const MAC = '/library/download?product=1&release=4&platform=darwin-arm64';
  const LINUX = '/library/download?product=1&release=1&platform=linux-amd64';
  const ANY = '/library/download?product=4&release=2';

  test.each([
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.4 Safari/605.1.15', [MAC, LINUX]],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0', [LINUX, MAC]],
    ['Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/124.0 Mobile Safari/537.36', [MAC, LINUX]],
    ['', [MAC, LINUX]],
  ])('each platform links to its newest covered file, the visitor’s own first (%s)', async (userAgent, own) => {
    expect(await linksOf(userAgent)).toEqual(own);
    expect(await linksOf(userAgent, '/library/4')).toEqual([ANY]);
  });

  test.each([
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.4 Safari/605.1.15', MAC],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0', LINUX],
    ['Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/124.0 Mobile Safari/537.36', undefined],
  ])('a card offers the file for the visitor’s computer, or a choice if it is unknown (%s)', async (agent, link) => {
    expect(await linksOf(agent, '/library')).toEqual(link === undefined ? [ANY] : [link, ANY]);
    const { body } = await browser.get('/library', { 'user-agent': agent });
    expect(body.includes('href="/library/1">Choose a download')).toBe(link === undefined);
  });

  test('the last released product comes first, and an ended one last', async () => {
    const { body } = await browser.get('/library');
    expect([...body.matchAll(/<h2><a href="\/library\/(\d)">/g)].map(([, id]) => id)).toEqual(['1', '4', '2']);
  });

  test.each([
    ['HASH', ['1']],
    ['o', ['2', '4']],
    ['zzz', []],
    ['x'.repeat(2000), []],
  ])('a search for %s finds products, with matching beginnings of names first', async (words, found) => {
    const { body } = await browser.get(`/library?q=${words}`);
    expect([...body.matchAll(/<h2><a href="\/library\/(\d)">/g)].map(([, id]) => id)).toEqual(found);
    expect(body.includes('Nothing found for')).toBe(found.length === 0);
  });

  test.each(['3', '99', '0', 'x', '1x', '9'.repeat(30)])('the product %s has no page', async (id) => {
    expect((await browser.get(`/library/${id}`)).status).toBe(404);
  });

  test('a covered older version can be downloaded, and a newer uncovered one is not offered', async () => {
    const older = (await browser.get('/library/1')).body;
    expect(older).not.toContain('older version');
    const { body } = await browser.get('/library/4');
    expect(body).not.toContain('release=3');
  });

  test('an agent gets the command that adds the account and a link to the keys', async () => {
    const { body } = await browser.get('/library/1');
    expect(body.replaceAll(/<\/?span[^>]*>/g, '')).toContain(
      'claude mcp add --transport http account https://api.example.com/api/mcp',
    );
    expect(body).toContain('href="/keys?use=agent#create"');
    expect((await browser.get('/library/2')).body).not.toContain('claude mcp add');
  });

  test('each file shows its version, size and checksum, and each version its notes', async () => {
    const { body } = await browser.get('/library/1');
    expect(body).toContain('<small>1.9.0 · 12.3 MB</small>');
    expect(body).toContain('c'.repeat(64));
    expect(body).toContain('What’s new in 1.9.0');
    expect(body).toContain('Starts faster.\nUses &lt;less&gt; memory.');
  });

  test('the link of each file leads to a signed URL', async () => {
    for (const link of [MAC, LINUX, ANY]) {
      const answer = await browser.get(link);
      expect(answer.status).toBe(303);
      expect(answer.location).toMatch(/^https:\/\/api\.example\.com\/.*signature=/);
    }
  });

  test.each([
    'product=3',
    'product=99',
    'product=abc',
    '',
    'product=1&platform=windows',
  ])('a download of %j shows a not-found page', async (query) => {
    expect((await browser.get(`/library/download?${query}`)).status).toBe(404);
  });

  test('a download without a platform leads to a choice of platforms', async () => {
    const answer = await browser.get('/library/download?product=1');
    expect(answer).toMatchObject({ status: 303, location: '/library/1' });
  });

  test('an uncovered download leads back to the list with a reason', async () => {
    const answer = await browser.get('/library/download?product=4&release=3');
    expect(answer).toMatchObject({ status: 303, location: '/library?done=unavailable' });
    expect((await browser.get('/library?done=unavailable')).body).toContain('role="alert"');
  });
});

describe('the setup steps of a purchase', () => {
  test('the page shows the steps in the visitor’s language and stores the completed ones', async () => {
    const products = [
      aProduct({ id: 1, setup_steps: STEPS }),
      aProduct({ id: 2 }),
      aProduct({ id: 3, setup_steps: STEPS }),
    ];
    const ended = anEntitlement({ id: 2, product_id: 3, access_expires_at: PAST });
    const service = await aBuyersService({ products, entitlements: [anEntitlement(), ended] });
    const { server, browser } = await openPages(service);
    const before = (await browser.get('/library/1', { 'accept-language': 'ko' })).body;
    for (const id of [2, 3]) expect((await browser.get(`/library/${id}`)).body).not.toContain('id="setup');
    expect(before).toContain('설정: 2단계 중 0단계 완료');
    expect(before).toContain('실행하기');
    const saved = await browser.submit('/library/1', '/library/setup', { step: '1' });
    expect(saved).toMatchObject({ status: 303, location: '/library/1?done=saved#setup' });
    const after = (await browser.get('/library/1?done=saved')).body;
    expect(after).toContain('Setup: 1 of 2 steps done');
    expect(after).toMatch(/value="1" checked>\s*<span>Run it/);
    expect(after).toContain('Your progress was saved.');
    expect((await browser.submit('/library/1', '/library/setup', { step: '2' })).location).toBe(
      '/library/1?done=setupChanged',
    );
    expect((await browser.submit('/library/1', '/library/setup', { product: '3' })).status).toBe(404);
    expect((await browser.get('/library/1')).body).toContain('Setup: 1 of 2 steps done');
    await browser.submit('/library/1', '/library/setup', {});
    expect((await browser.get('/library/1')).body).toContain('Setup: 0 of 2 steps done');
    await server.close();
  });
});

describe('an expired subscription', () => {
  const page = async (contents: Contents): Promise<string> => {
    const over = aSubscription({ id: 1, product_ids: [1], ends_at: PAST, billing: aBill({ renewal_url: RENEWAL }) });
    const { server, browser } = await openPages(
      await aBuyersService({
        products: [aProduct({ id: 1, name: { en: 'Memo' } }), aProduct({ id: 2, name: { en: 'All apps' } })],
        bundles: [aBundle({ product_id: 2, product_ids: [1] })],
        ...contents,
        subscriptions: [over, ...(contents.subscriptions ?? [])],
      }),
    );
    const { body } = await browser.get('/orders');
    await server.close();
    return body;
  };
  const apps = { id: 2, product_ids: [2], billing: aBill() };

  test.each<[string, Contents, string]>([
    [
      'another subscription',
      { subscriptions: [aSubscription({ ...apps, ends_at: FUTURE })] },
      'No renewal needed: All apps includes it.',
    ],
    ['a license', { entitlements: [anEntitlement({ product_id: 1 })] }, 'No renewal needed: you already have access.'],
  ])('an expired subscription needs no renewal if %s gives its product', async (_, contents, text) => {
    const body = await page(contents);
    expect(body).toContain(text);
    expect(body).not.toContain(RENEWAL);
  });

  test.each<[string, Contents]>([
    ['nothing else', {}],
    ['only a subscription that begins later', { subscriptions: [aSubscription({ ...apps, starts_at: FUTURE })] }],
  ])('an expired subscription can be renewed if %s gives its product', async (_, contents) => {
    expect(await page(contents)).toContain(`href="${RENEWAL}"`);
  });
});

describe('an ended license', () => {
  const product_url = 'https://shop.example.com/p/{product_id}';
  const refund = { refunded_at: PAST, item_ids: null, keeps_access: false, reason: null };
  const revoked = anEntitlement({ order_id: 5, order_item_id: 1, revoked_at: PAST });
  const pages = async (contents: Contents, path: string) => {
    const products = [aProduct({ id: 1, name: { en: 'Memo' } })];
    const service = await aBuyersService({ storefront: { ...A_STOREFRONT, product_url }, products, ...contents });
    const { server, browser } = await openPages(service);
    const { body } = await browser.get(`${path}?lang=en`);
    await server.close();
    return body;
  };

  test('an ended license shows the date of its refund, the order and a way to buy it again', async () => {
    const orders = [anOrder({ id: 5, status: 'refunded', refunds: [refund] })];
    const body = await pages({ orders, entitlements: [revoked] }, '/library/1');
    expect(body).toContain('Refunded on 31 January 2026');
    expect(body).toContain('<a href="/orders/5">O-5</a>');
    expect(body).toContain('href="https://shop.example.com/p/1" rel="noreferrer">Buy again');
    expect(body).not.toMatch(/Revoked|class="card" aria-labelledby="downloads|claude mcp/);
    const receipt = await pages({ orders, entitlements: [revoked] }, '/orders/5');
    expect(receipt).toContain('<span class="aside">Refunded on 31 January 2026</span>');
    expect(receipt).toContain('$19.00');
    expect(receipt).not.toMatch(/Revoked|US\$/);
  });

  test('an ended license of a subscription links to its renewal', async () => {
    const over = aSubscription({ product_ids: [1], ends_at: PAST, billing: aBill({ renewal_url: RENEWAL }) });
    const body = await pages({ subscriptions: [over] }, '/library/1');
    expect(body).toContain('Ended on 31 January 2026');
    expect(body).toContain(`href="${RENEWAL}" rel="noreferrer">Renew`);
  });

  test('a banner names the day on which a license ends, and the subscription with the failed payment comes first', async () => {
    const billing = aBill({ update_payment_method_url: 'https://pay.example.com/card' });
    const due = aSubscription({ id: 1, product_ids: [1], status: 'past_due', ends_at: FUTURE, grace_days: 3, billing });
    const fine = aSubscription({ id: 2, product_ids: [1], starts_at: PAST, ends_at: FUTURE, billing: aBill() });
    const orders = [anOrder({ id: 1, subscription_name: { en: 'All apps', ko: '모든 앱' } })];
    const contents = { subscriptions: [{ ...due, billing: { ...billing, order_id: 1 } }, fine], orders };
    const banner = 'Update your payment method by 3 February 2099, or your access ends then.';
    for (const path of ['/library', '/library/1', '/orders']) expect(await pages(contents, path)).toContain(banner);
    expect(await pages(contents, '/library')).toContain(
      `<strong>All apps</strong><br>The last payment failed. ${banner}`,
    );
    expect(await pages(contents, '/profile/erase')).toContain('<li>All apps');
    const body = await pages(contents, '/orders');
    expect(body.indexOf('Payment due')).toBeLessThan(body.indexOf('>Active<'));
    expect(await pages({ subscriptions: [fine] }, '/library')).not.toContain('class="warning"');
  });

  test('a product without files, keys and devices has no instructions for installing', async () => {
    const body = await pages({ entitlements: [anEntitlement({ product_id: 1 })], releases: [] }, '/library/1');
    expect(body).toContain('Your agent can read the manual of ');
    expect(body).not.toMatch(/install and update|without the internet|<dt>(Devices|Latest version)/);
  });

  test('the file for another system is not offered as the visitor’s own', async () => {
    const artifacts = [anArtifact({ platform: 'darwin-arm64', filename: 'mac' })];
    const service = await aBuyersService({
      products: [aProduct({ id: 1 })],
      entitlements: [anEntitlement({ product_id: 1 })],
      releases: [aRelease({ id: 1, product_id: 1, artifacts })],
    });
    const { server, browser } = await openPages(service);
    const agent = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/124.0', 'accept-language': 'en' };
    for (const path of ['/library', '/library/1']) {
      const { body } = await browser.get(path, agent);
      expect(body).toContain('No Windows version');
      expect(body).not.toContain('class="button main" href="/library/download');
    }
    await server.close();
  });
});

describe('the page of an order', () => {
  test.each(['pending', 'cancelled'] as const)('an order that was never paid has no receipt (%s)', async (status) => {
    const service = await aBuyersService({ orders: [anOrder({ id: 5, status, paid_at: null })] });
    const { server, browser } = await openPages(service);
    const { body } = await browser.get('/orders/5?lang=en');
    expect(body).toContain('<h2 id="receipt">Order</h2>');
    expect(body).toContain('<dt>Paid</dt><dd>Not paid</dd>');
    expect(body).not.toMatch(/Receipt|data-print/);
    await server.close();
  });

  const now = toInstant(Date.now());
  const withOrder = (storefront: Storefront) =>
    aBuyersService({
      storefront,
      products: [aProduct()],
      entitlements: [anEntitlement()],
      orders: [anOrder({ id: 5, ordered_at: now, paid_at: now })],
    });

  test('a withdrawal opens a ticket that links to the order and is linked from it and from the list', async () => {
    const service = await withOrder(A_STOREFRONT);
    const { server, browser } = await openPages(service);
    const before = (await browser.get('/orders/5?lang=en')).body;
    expect(before).toContain('Last day (Asia/Seoul):');
    const form = hiddenFields(before, '/orders/withdraw');
    const withdraw = async () => (await browser.post('/orders/withdraw', form)).location;
    const sent = await Promise.all([withdraw(), withdraw()]);
    await browser.get('/orders?lang=ko');
    expect(new Set([...sent, await withdraw()])).toEqual(new Set(['/orders/5?done=withdrawn']));
    const [ticket, ...more] = await service.get('tickets').ofAccount(1, 9);
    expect([more, ticket?.withdrawal]).toEqual([[], { order_id: 5, order_number: 'O-5' }]);
    const { body } = await browser.get('/orders/5?lang=en');
    expect(body).toContain('href="/support?order=O-5&amp;product=1#write"');
    expect(body).toContain('Withdrawal sent on ');
    expect(body).not.toContain('action="/orders/withdraw"');
    expect(body).toContain(`href="/support/${ticket?.id}"`);
    const list = (await browser.get('/orders')).body;
    expect(list).toContain('Withdrawal sent on ');
    expect(list.match(/class="badge[^<]+/g)).toEqual(['class="badge due">Withdrawn']);
    expect((await browser.get('/library/1')).body).toContain('<span class="badge due">Withdrawn</span>');
    expect((await browser.get(`/support/${ticket?.id}`)).body).toContain('<a href="/orders/5">Order O-5</a>');
    expect((await browser.get(`/support/${ticket?.id}?lang=ko`)).body).toContain('<h1>주문 O-5 청약철회');
    await server.close();
  });

  test('the product page shows the right to withdraw, what ends it and a sent withdrawal', async () => {
    const service = await withOrder(A_STOREFRONT);
    await put(service, { products: [aProduct({ id: 1 })], entitlements: [anEntitlement({ id: 1, product_id: 1 })] });
    const { server, browser } = await openPages(service);
    const promise = 'You can withdraw from order O-5 until ';
    const pages = async () => [
      (await browser.get('/library/1?lang=en')).body,
      (await browser.get('/devices/offline')).body,
      (await browser.submit('/devices/offline', '/devices/offline', { request: 'x' })).body,
    ];
    const [product, ...offline] = await pages();
    expect(product).toMatch(new RegExp(`${promise}.*started. <a href="/orders/5">`));
    for (const body of offline) {
      expect(body).toMatch(new RegExp(`${promise}.*You lose that right if you create a license file.*"/orders/5">`));
    }
    await browser.submit('/orders/5', '/orders/withdraw', {});
    const [withdrawn, ...after] = await pages();
    expect(withdrawn).toMatch(/Withdrawal sent on .* · <a href="\/support\/\d+">/);
    for (const body of [withdrawn, ...after]) expect(body).not.toContain(promise);
    await server.close();
  });

  test('a license file ends the right to withdraw, and with it the warning', async () => {
    const service = await withOrder(A_STOREFRONT);
    await put(service, { products: [aProduct({ id: 1 })], entitlements: [anEntitlement({ id: 1, product_id: 1 })] });
    const { server, browser } = await openPages(service);
    const request = JSON.stringify({ product_id: 1, device_id: 'press-7' });
    expect((await browser.submit('/devices/offline', '/devices/offline', { request })).body).toContain('license.json');
    for (const path of ['/devices/offline?lang=en', '/library/1', '/orders/5']) {
      expect((await browser.get(path)).body).not.toMatch(/can withdraw|action="\/orders\/withdraw"/);
    }
    await server.close();
  });

  test('a shop without withdrawal terms has no button, promise or page for it', async () => {
    const { server, browser } = await openPages(await withOrder({ ...A_STOREFRONT, withdrawal: null }));
    const { body } = await browser.get('/orders/5?lang=en');
    expect(body).not.toMatch(/withdraw|changed your mind/i);
    const form = hiddenFields((await browser.get('/support')).body, '/support');
    expect((await browser.post('/orders/withdraw', { ...form, order: '5' })).status).toBe(404);
    await server.close();
  });

  test.each([
    ['one page for both', 'https://pay.example/r', ['Payment receipt<span class="unseen"> O-5</span>']],
    ['another page for each', 'https://pay.example/i', ['Payment receipt O-5', 'Payment receipt I-1']],
  ])('different receipts of a payment look different: %s', async (_, receipt_url, links) => {
    const orders = [anOrder({ id: 5, receipt_url: 'https://pay.example/r' })];
    const service = await aBuyersService({ orders, invoices: [anInvoice({ order_id: 5, receipt_url })] });
    const { server, browser } = await openPages(service);
    const { body } = await browser.get('/orders/5?lang=en');
    expect([...body.matchAll(/>(Payment receipt.*?)<\/a>/g)].map(([, text]) => text)).toEqual(links);
    await server.close();
  });

  test('a withdrawal in an earlier version is shown by its ticket and opens no other one', async () => {
    const service = await withOrder(A_STOREFRONT);
    const detail = '주문 O-5의 청약을 철회합니다. (주문 페이지에서 접수, 주문 ID 5)';
    const ticket = { ...aReport({ kind: 'refund_request', detail }), id: 7, account_id: 1, created_at: now };
    const unread = { opening: undefined, version: null };
    await service.get('tickets').open(grantPermit(), { ...ticket, status: 'open' }, 'former', unread, undefined);
    const { server, browser } = await openPages(service);
    const { body } = await browser.get('/orders/5?lang=en');
    expect(body).toContain('href="/support/7"');
    expect(body).not.toContain('action="/orders/withdraw"');
    const form = hiddenFields((await browser.get('/support')).body, '/support');
    expect((await browser.post('/orders/withdraw', { ...form, order: '5' })).location).toBe('/orders/5?done=withdrawn');
    expect(await service.get('tickets').ofAccount(1, 9)).toHaveLength(1);
    await server.close();
  });
});

describe('the bills of an account', () => {
  test('bills are one list in which an order has its invoices, and an invoice without an order is separate', async () => {
    const pdf_url = 'https://pay.example.com/1.pdf';
    const issued = { number: 'P-1', url: 'https://pay.example.com/p' };
    const service = await aBuyersService({
      orders: [
        anOrder({ id: 5, invoice: issued }),
        anOrder({ id: 6, vat_rate: '19', vat_cents: 303, supply_cents: 1597 }),
      ],
      invoices: [anInvoice({ id: 1, order_id: 6, pdf_url }), anInvoice({ id: 2, order_id: null })],
    });
    const { server, browser } = await openPages(service);
    const { body } = await browser.get('/orders?lang=en');
    expect(body).toMatch(
      /\/orders\/6">.*<a href="https:\/\/pay\.example\.com\/1\.pdf" rel="noreferrer">Invoice I-1<\/a>/,
    );
    expect(body).toContain(`<a href="${issued.url}" rel="noreferrer">Invoice P-1</a>`);
    expect(body).toContain('<th scope="row">Invoice I-2</th>');
    expect(body.match(/<table>/g)).toHaveLength(1);
    const receipt = (await browser.get('/orders/6')).body;
    expect(receipt).toContain('<dt>VAT (19%)</dt>');
    expect(receipt).toContain('This receipt is not the invoice');
    await server.close();
  });

  test.each([
    ['stripe', 'VAT or tax number DE123'],
    ['paddle', '<strong>Paddle</strong><br>Merchant of record for '],
  ])('bills name the seller by whose tax number the sale was taxed (%s)', async (provider, seller) => {
    const source = { provider, payment: 'pay-1', subscription: null };
    const service = await aBuyersService({
      storefront: { ...A_STOREFRONT, tax_number: 'DE123' },
      orders: [anOrder({ id: 5, source })],
    });
    const { server, browser } = await openPages(service);
    const { body } = await browser.get('/orders/5?lang=en');
    expect(body).toContain(seller);
    expect(body.includes('DE123')).toBe(provider === 'stripe');
    await server.close();
  });
});

describe('the page of a bundle', () => {
  test('the page of a bundle links its products and offers no agent installation', async () => {
    const service = await aBuyersService({
      products: [aProduct({ id: 1, name: { en: 'Hashcheck' } }), aProduct({ id: 100 })],
      bundles: [aBundle()],
      entitlements: [anEntitlement({ product_id: 100 })],
    });
    const { server, browser } = await openPages(service);
    const { body } = await browser.get('/library/100');
    await server.close();
    expect(body).toContain('<a href="/library/1">Hashcheck</a>');
    expect(body).not.toContain('claude mcp add');
  });
});

describe('an account without purchases', () => {
  test('the page of an account without purchases says so', async () => {
    const { server, browser } = await openPages(await aBuyersService());
    const { body } = await browser.get('/library');
    await server.close();
    expect(body).toContain('No products yet');
  });
});
