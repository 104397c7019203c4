import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import type { Product } from '../../../../domain/catalog/product.ts';
import type { Service } from '../../../../runtimes/composition/bootstrap.ts';
import { anAccount } from '../../../support/account-builders.ts';
import { aBuyersService, EMAIL, openPages, PASSWORD, type PagesServer } from '../../../support/account-pages.ts';
import { aDevice, aLease, anEntitlement, aProduct, NOW } from '../../../support/builders.ts';
import { put } from '../../../support/contents.ts';
import { hiddenFields, PageBrowser } from '../../../support/page-browser.ts';

describe('the pages of devices', () => {
  let service: Service;
  let server: PagesServer;
  let browser: PageBrowser;

  const activate = async (
    account: number,
    product: number,
    device: string,
    name: string | null = null,
    activated_at = NOW,
  ) => {
    const { slots } = await service.get('devices').find(account, product, null);
    await service
      .get('devices')
      .activate(grantPermit(), account, product, aDevice({ device_id: device, name, activated_at }), slots);
  };

  beforeEach(async () => {
    service = await aBuyersService({
      accounts: [anAccount({ id: 2 })],
      products: [
        aProduct({ id: 1, name: { en: 'Hashcheck', ko: '해시체크' }, device_limit: 2 }),
        aProduct({ id: 2, name: { en: 'Foreign' } }),
      ],
      entitlements: [anEntitlement({ id: 1, product_id: 1 }), anEntitlement({ id: 2, account_id: 2, product_id: 2 })],
    });
    await activate(1, 1, 'laptop', 'Laptop', '2026-01-01T00:00:00.000Z');
    await activate(1, 1, 'desk/top?&="', null);
    await activate(2, 1, 'laptop', 'Not yours');
    ({ server, browser } = await openPages(service));
  });

  afterEach(() => server.close());

  test('the link that a refused device gets leads to the sign-in and back to its product', async () => {
    const path =
      new URL(service.get('links').manageDevices(1)).pathname + new URL(service.get('links').manageDevices(1)).search;
    const visitor = new PageBrowser(server.url);
    const asked = await visitor.get(path);
    expect(asked).toMatchObject({ status: 303, location: `/sign-in?next=${encodeURIComponent(path)}` });
    const next = hiddenFields((await visitor.get(asked.location as string)).body, '/sign-in')['next'];
    const signedIn = await visitor.submit(asked.location as string, '/sign-in', { email: EMAIL, password: PASSWORD });
    expect([next, signedIn.location]).toEqual([path, path]);
    const { body } = await visitor.get(path);
    expect(body).toContain('<h1>Devices of Hashcheck</h1>');
    expect(body).toContain('All devices are in use.');
    expect(body).toContain('2 of 2 in use');
    expect(body).not.toContain('Not yours');
  });

  test('a device withdrawn by the shop is marked, and its slot is free', async () => {
    await put(service, { policy: { revoked: [{ product_id: 1, device_id: 'laptop' }] } });
    for (const path of ['/devices', '/devices?product=1']) {
      const { body } = await browser.get(path);
      expect(body.match(/The shop blocked this device/g)).toHaveLength(1);
      expect(body).not.toContain('All devices are in use.');
    }
  });

  test('sessions of a floating license are called sessions, and a borrowed one is not a license file', async () => {
    await put(service, {
      products: [aProduct({ id: 3, name: { en: 'Lab' }, slots: 'sessions', device_limit: 2, borrow_days: 30 })],
      entitlements: [anEntitlement({ id: 3, product_id: 3 })],
    });
    const save = (lease: ReturnType<typeof aLease>) =>
      service.get('leases').save(grantPermit(), 1, { ...lease, product_id: 3 }, undefined);
    const borrowed_until = '2098-01-01T00:00:00.000Z';
    await save(aLease({ slot: 1, device_id: 'bench', name: 'Bench' }));
    await save(aLease({ slot: 2, lease_id: 'b', device_id: 'field', name: 'Field', borrowed_until }));
    const { body } = await browser.get('/devices?product=3');
    for (const text of ['All sessions are running.', 'End session…', 'Borrowed until', 'is borrowed until 1 Jan'])
      expect(body).toContain(text);
    expect(body).not.toMatch(/All devices are in use|License file until|Release this device/);
    const ended = await browser.submit('/devices?product=3', '/devices/release', {
      product: '3',
      device: 'field',
      name: 'Field',
    });
    const after = (await browser.get(ended.location ?? '')).body;
    expect(after).toContain('Field was released. Its session stays taken until the end of the borrowing.');
  });

  const OFFLINE = '/devices/offline';
  const fileOf = (body: string): string =>
    decodeURIComponent(/href="data:application\/json,([^"]*)"/.exec(body)?.[1] ?? '');
  const askFile = (request: string) => browser.submit(OFFLINE, OFFLINE, { request });

  test('a machine that is never online gets a file for a year and takes a slot', async () => {
    expect((await browser.get('/devices')).body).toContain(`href="${OFFLINE}"`);
    await browser.submit('/devices?product=1', '/devices/release', {});
    const request = { product_id: 1, device_id: 'press-7', app_version: '1.0.0' };
    const { status, body } = await askFile(JSON.stringify(request));
    expect(status).toBe(200);
    expect(body).toContain('License file for Hashcheck');
    expect(body).toContain('download="Hashcheck-license.json"');
    expect(body).toMatch(/Carry the file to Device press-7 and open it in the app\..+ until \d+ \w+ \d{4}\./);
    expect(body).not.toContain('<textarea');
    const { token, checked_at } = JSON.parse(fileOf(body));
    const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
    expect(claims).toMatchObject({ offline: true, valid: true, product_id: 1, device_id: 'press-7' });
    expect(claims.exp - claims.iat).toBe(365 * 86_400);
    expect(checked_at).toBe(new Date(checked_at).toISOString());
    expect((await browser.get('/devices?product=1')).body).toContain('press-7');
  });

  test('a machine gets a perpetual file on request if the product offers it', async () => {
    const { products } = await service.get('catalogs').current();
    await put(service, { products: [{ ...(products.get(1) as Product), ttl_days: null }] });
    await browser.submit('/devices?product=1', '/devices/release', {});
    const asked = { product_id: 1, device_id: 'press-7' };
    for (const [perpetual, exp] of [
      [true, 253_370_764_800],
      [false, expect.any(Number)],
    ] as const) {
      const { body } = await askFile(JSON.stringify({ ...asked, perpetual }));
      const claims = JSON.parse(Buffer.from(JSON.parse(fileOf(body)).token.split('.')[1], 'base64url').toString());
      expect(claims).toMatchObject({ offline: true, exp });
      expect([claims.perpetual, body.includes('for good')]).toEqual(perpetual ? [true, true] : [undefined, false]);
    }
  });

  test('a machine id has the form of license checks, so releasing it finds it', async () => {
    await browser.submit('/devices?product=1', '/devices/release', {});
    for (const device_id of [' ', 'a\nb', 'x'.repeat(256)]) {
      expect((await askFile(JSON.stringify({ product_id: 1, device_id }))).status).toBe(422);
    }
    expect((await askFile(JSON.stringify({ product_id: 1, device_id: 'cafe\u0301' }))).status).toBe(200);
    const { device } = await service.get('devices').find(1, 1, 'caf\u00e9');
    expect(device?.offline_until).toBeDefined();
  });

  test('a released machine with a file stays listed until the file ends, and can’t be released again', async () => {
    await browser.submit('/devices?product=1', '/devices/release', {});
    await askFile(JSON.stringify({ product_id: 1, device_id: 'press-7' }));
    const { body } = await browser.get('/devices?product=1');
    expect(body).toMatch(
      /Its license file works offline until \d+ \w+ \d{4}, so it counts as one of your devices until then\./,
    );
    const fields = { ...hiddenFields(body, '/devices/release'), device: 'press-7', name: 'Device press-7' };
    const released = await browser.post('/devices/release', fields);
    expect(released.location).toContain('/devices?product=1&done=held&');
    const after = (await browser.get(released.location as string)).body;
    expect(after).toContain('Device press-7 was released. It still counts until its license file expires.');
    expect(after).toContain('2 of 2 in use');
    expect(after).toContain('Released on ');
    expect(after).not.toContain('value="press-7"');
  });

  test.each([
    ['Hello', 'This isn’t a request from an app.'],
    ['{"product_id": 1}', 'This isn’t a request from an app.'],
    ['{"product_id": 2, "device_id": "press-7"}', 'This account does not own this product'],
    ['{"product_id": 1, "device_id": "press-7"}', 'devices'],
  ])('the request %s gets no file and says why', async (request, reason) => {
    const { status, body } = await askFile(request);
    expect(status).toBe(422);
    expect(body).toContain(reason);
    expect(fileOf(body)).toBe('');
    expect(body).toContain(`spellcheck="false" aria-describedby="request-hint"`);
    expect(body).toContain(`>${request.replaceAll('"', '&quot;')}</textarea>`);
    expect(body.includes('Free a device</a>')).toBe(reason === 'devices');
  });

  test('a request for a file while all devices are in use keeps its form while a device is released', async () => {
    const request = { product_id: 1, device_id: 'press-7', app_version: null };
    const asked = await askFile(JSON.stringify(request));
    const free = /<a href="([^"]*)">Free a device/.exec(asked.body)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const released = await browser.submit(free, '/devices/release', {});
    const { body } = await browser.get(released.location as string);
    const back = /<a href="([^"]*)">Your request is kept/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await browser.get(back)).body).toContain(
      `>${JSON.stringify(request).replaceAll('"', '&quot;')}</textarea>`,
    );
    expect((await browser.submit(back, OFFLINE, { request: JSON.stringify(request) })).status).toBe(200);
    for (const text of ['<script>', '{"product_id":1}', 'x'.repeat(5000)])
      expect((await browser.get(`${OFFLINE}?request=${encodeURIComponent(text)}`)).body).toMatch(/"><\/textarea>/);
  });

  test('a device is released after a confirmation, and its slot is free', async () => {
    const { body } = await browser.get('/devices?product=1');
    const question = /<details class="confirm">[\s\S]*?<\/details>/.exec(body)?.[0] as string;
    expect(question).toContain('Laptop will no longer be able to use Hashcheck');
    const released = await browser.post('/devices/release', hiddenFields(body, '/devices/release'));
    expect([released.status, released.location]).toEqual([
      303,
      expect.stringMatching(/^\/devices\?product=1&done=freed&/),
    ]);
    const after = (await browser.get(released.location as string)).body;
    expect(after).toMatch(/role="status"[^>]*>Laptop no longer uses Hashcheck\. 1 of 2 in use\.</);
    const korean = (await browser.get(`${released.location}&lang=ko`)).body;
    expect(korean).toContain('Laptop에서 해시체크 제품을 해제했습니다. 1/2대 사용 중입니다.');
    const forged = (released.location as string).replace('Laptop', 'Call+us,+your+laptop');
    expect((await browser.get(`${forged}&lang=en`)).body).toContain('The device no longer uses Hashcheck.');
    expect(await service.get('devices').list(2, 1)).toHaveLength(1);
    const again = await browser.post('/devices/release', hiddenFields(body, '/devices/release'));
    expect(again.location).toBe('/devices?product=1&done=gone');
  });

  test('a product with 230 devices is shown in pages of 100, and with 20 among all products', async () => {
    await put(service, { products: [aProduct({ id: 3, name: { en: 'Many' } })] });
    await put(service, { entitlements: [anEntitlement({ id: 3, product_id: 3 })] });
    for (let n = 0; n < 230; n++) await activate(1, 3, `device ${n}`);
    const rows = (body: string) => [...body.matchAll(/<p class="id">(device \d+)</g)].map(([, id]) => id);
    const all = (await browser.get('/devices')).body;
    expect(rows(all)).toHaveLength(20);
    expect(all).toContain('230 in use');
    expect(all).toContain('<a href="/devices?product=3">More devices');
    const seen: (string | undefined)[] = [];
    let path: string | undefined = '/devices?product=3';
    for (const expected of [100, 100, 30]) {
      const { body }: { body: string } = await browser.get(path ?? expect.unreachable());
      expect(rows(body)).toHaveLength(expected);
      seen.push(...rows(body));
      path = /<p class="more"><a href="([^"]+)">More devices/.exec(body)?.[1]?.replaceAll('&amp;', '&');
    }
    expect([new Set(seen).size, path]).toEqual([230, undefined]);
  });

  test('a machine is listed once with its products and key, and gets one name in all of them', async () => {
    await put(service, { products: [aProduct({ id: 4, name: { en: 'Notes' } })] });
    await put(service, { entitlements: [anEntitlement({ id: 4, product_id: 4 })] });
    await activate(1, 4, 'laptop', null);
    const device = { client: 'cli', device: { device_id: 'laptop', name: 'Laptop' } };
    await service.get('createApiKey')(grantPermit(), { account_id: 1, name: 'Laptop', device });
    const before = (await browser.get('/devices')).body;
    const card =
      /<li class="row machine"><div class="title"><h2>Laptop<\/h2>[\s\S]*?(?=<li class="row machine">|<footer)/.exec(
        before,
      )?.[0] ?? '';
    for (const text of ['<h3>Hashcheck</h3>', '<h3>Notes</h3>', 'Device key', 'svc_']) expect(card).toContain(text);
    expect(before.match(/>laptop<\/p>/g)).toHaveLength(1);
    const name = 'Küche <b>"&\u202e';
    const renamed = await browser.submit('/devices', '/devices/rename', { device: 'laptop', name });
    expect(renamed).toMatchObject({ status: 303, location: '/devices?done=renamed&device=laptop' });
    const after = (await browser.get(renamed.location as string)).body;
    expect(after).toContain('The device is now called Küche &lt;b&gt;&quot;&amp;.');
    const single = await browser.submit('/devices?product=1', '/devices/rename', { device: 'laptop', name });
    expect(single.location).toBe('/devices?product=1&done=renamed&device=laptop');
    expect(after).toContain('<h2>Küche &lt;b&gt;&quot;&amp;</h2>');
    const names = await Promise.all([1, 4].map((id) => service.get('devices').find(1, id, 'laptop')));
    expect(names.map((one) => one.device?.name)).toEqual(['Küche <b>"&', 'Küche <b>"&']);
    expect((await service.get('devices').find(2, 1, 'laptop')).device?.name).toBe('Not yours');
    const gone = await browser.submit('/devices', '/devices/rename', { device: 'unknown', name });
    expect(gone.location).toBe('/devices?done=gone');
    const long = await browser.submit('/devices', '/devices/rename', { device: 'x'.repeat(256), name });
    expect(long.status).toBe(404);
  });

  test('a device of one product is one row with one heading, and names the product only in a list of several', async () => {
    const all = (await browser.get('/devices')).body;
    expect(all).toContain('<h2>Laptop</h2><p class="kind">Hashcheck</p>');
    const one = (await browser.get('/devices?product=1')).body;
    expect(one).toContain('<a href="/devices">All devices</a>');
    expect(one).not.toContain('<p class="kind">Hashcheck</p>');
    for (const body of [all, one]) expect(body).not.toContain('<h3>');
  });

  test('a device connected by its code is listed among the devices, where codes are entered', async () => {
    const input = { client_id: 'cli', device_id: 'd-1', device_name: 'studio.local', address: '203.0.113.9' };
    const started = await service.get('startDeviceSignIn')(input);
    if (!started.ok) throw new Error(started.code);
    const { user_code } = started.value;
    expect((await browser.get('/devices')).body).toContain('<a class="button" href="/device">');
    await browser.submit(`/device?user_code=${user_code}`, '/device', { user_code });
    const { body } = await browser.submit('/device', '/device', { user_code });
    const decided = await browser.post('/device/decide', {
      ...hiddenFields(body, '/device/decide'),
      device_name: 'Studio',
      decision: 'approve',
    });
    expect((await browser.get(decided.location as string)).body).toContain('<a class="button" href="/devices">');
    const redeemed = { device_code: started.value.device_code, client_id: 'cli' };
    await service.get('redeemDeviceSignIn')(grantPermit(), redeemed);
    const after = (await browser.get('/devices')).body;
    expect(after).toContain('<h2>Studio</h2>');
    expect(after).toContain('Revoke “Studio”</button>');
  });

  test('one form releases a departing machine for all its products', async () => {
    await put(service, { products: [aProduct({ id: 4, name: { en: 'Notes' } })] });
    await put(service, { entitlements: [anEntitlement({ id: 4, product_id: 4 })] });
    await activate(1, 4, 'laptop', null);
    const fields = hiddenFields((await browser.get('/devices')).body, '/devices/release');
    const { product: _, ...whole } = { ...fields, device: 'laptop', name: 'Laptop' } as Record<string, string>;
    const { location } = await browser.post('/devices/release', whole);
    expect(location).toContain('/devices?done=freedAll&');
    expect((await browser.get(location as string)).body).toContain('Laptop no longer uses any of your products.');
    const held = await Promise.all([1, 4].map((id) => service.get('devices').find(1, id, 'laptop')));
    expect(held.map(({ device }) => device)).toEqual([undefined, undefined]);
    expect((await browser.post('/devices/release', { ...whole, product: 'x' })).status).toBe(404);
  });

  test('a device whose id has special characters can be released', async () => {
    const { body } = await browser.get('/devices?product=1');
    const fields = { ...hiddenFields(body, '/devices/release'), device: 'desk/top?&="' };
    expect((await browser.post('/devices/release', fields)).location).toContain('/devices?product=1&done=freed&');
  });

  test('another account’s product looks nonexistent', async () => {
    const [foreign, unknown] = [await browser.get('/devices?product=2'), await browser.get('/devices?product=99')];
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect(foreign.body.replaceAll('product=2', '')).toBe(unknown.body.replaceAll('product=99', ''));
  });

  test('a product with ended access shows its devices for release, without a limit', async () => {
    await put(service, { entitlements: [anEntitlement({ id: 1, access_expires_at: NOW })] });
    const { body } = await browser.get('/devices?product=1');
    expect(body).toContain('Your access to this product has ended.');
    expect(body).toContain('2 in use<');
    for (const device of ['laptop', 'desk/top?&="']) {
      const fields = { ...hiddenFields(body, '/devices/release'), device, name: 'That one' };
      const { location } = await browser.post('/devices/release', fields);
      const after = await browser.get(location as string);
      const shown = after.location === null ? after : await browser.get(after.location);
      expect(shown.body).toContain(
        device === 'laptop' ? 'no longer uses Hashcheck. 1 in use.' : 'That one was released.',
      );
    }
  });

  test('a device shows its reported platform beside its name, or instead of one', async () => {
    const id = '3f1c2e9a-77b0-4d4e-9a6f-0f2a94c4b7d1';
    const check = async (device_name: string | null) => {
      const question = { product_id: 4, bundle_id: null, device_id: id, app_version: null, device_name };
      const asking = { account_id: 1, scope: { product_id: null }, key: null, locale: 'en' } as const;
      const platform = 'windows-amd64';
      const checked = await service.get('checkLicense')({ ...asking, body: { ...question, platform } });
      if (typeof checked === 'function') await checked({ permit: grantPermit() });
    };
    await put(service, { products: [aProduct({ id: 4 })], entitlements: [anEntitlement({ id: 4, product_id: 4 })] });
    await check(null);
    expect((await browser.get('/devices')).body).toContain('<h2>Windows (x86-64) · 3f1c2e9a…</h2>');
    await browser.submit('/devices', '/devices/rename', { device: id, name: 'Studio' });
    expect((await browser.get('/devices')).body).toContain(
      '<h2>Studio</h2><p class="kind">Windows (x86-64) · Product 4</p>',
    );
  });

  test('a device without a name is shown by the beginning of its id, and the full id is one step away', async () => {
    const id = '3f1c2e9a-77b0-4d4e-9a6f-0f2a94c4b7d1';
    await activate(1, 1, id);
    const { body } = await browser.get('/devices');
    expect(body).toContain('<h2>Device 3f1c2e9a…</h2>');
    expect(body).toContain(`<p class="id">${id}</p>`);
  });

  test.each(['0', '-1', '1.5', 'x', '', '9'.repeat(40)])('the product %j does not exist', async (product) => {
    expect((await browser.get(`/devices?product=${product}`)).status).toBe(404);
  });

  test('the list has exactly the products of the account', async () => {
    const { body } = await browser.get('/devices?lang=ko');
    expect(body).toContain('<a href="/devices?product=1">해시체크</a>');
    expect(body).toContain('<h2>기기 desk/top');
    expect(body).not.toContain('Foreign');
  });
});
