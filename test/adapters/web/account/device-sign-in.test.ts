import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import type { Service } from '../../../../runtimes/composition/bootstrap.ts';
import { aBuyersService, openPages, type PagesServer } from '../../../support/account-pages.ts';
import { anApiKey } from '../../../support/builders.ts';
import { hiddenFields, PageBrowser } from '../../../support/page-browser.ts';

describe('the page that approves a device', () => {
  let service: Service;
  let server: PagesServer;
  let browser: PageBrowser;
  let code: string;
  let deviceCode: string;

  beforeEach(async () => {
    service = await aBuyersService();
    ({ server, browser } = await openPages(service));
    const input = { client_id: 'cli', device_id: 'd-1', device_name: '<b>laptop</b>', address: '203.0.113.9' };
    const started = await service.get('startDeviceSignIn')(input);
    if (!started.ok) throw new Error(started.code);
    ({ user_code: code, device_code: deviceCode } = started.value);
  });

  afterEach(() => server.close());

  const redeem = () => service.get('redeemDeviceSignIn')(grantPermit(), { device_code: deviceCode, client_id: 'cli' });

  test('a link with the code fills it in and decides nothing', async () => {
    const { body } = await browser.get(`/device?user_code=${code}`);
    expect(body).toContain(`value="${code}"`);
    expect(body).not.toContain('laptop');
    expect(await redeem()).toMatchObject({ ok: false, code: 'authorization_pending' });
  });

  test('the confirmation names the client and the device and warns of codes from others', async () => {
    const { status, body } = await browser.submit('/device', '/device', {
      user_code: code.toLowerCase().replace('-', ' '),
    });
    expect(status).toBe(200);
    expect(body).toContain('Command-line client');
    expect(body).toContain(`<code>${code}</code>`);
    expect(body).not.toContain('is signed out');
    expect(body).toContain('&lt;b&gt;laptop&lt;/b&gt;');
    expect(body).toContain('Only approve this if you started it yourself');
    expect(body).toContain('buyer-1@example.com');
    expect(body).toMatch(/<time [^>]*>\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d UTC<\/time>/);
  });

  test('a device without a name gets a suggestion with its program and id', async () => {
    const input = { client_id: 'cli', device_id: 'd-2', device_name: null, address: '203.0.113.9' };
    const started = await service.get('startDeviceSignIn')(input);
    const user_code = started.ok ? started.value.user_code : '';
    const offered = async (language: string) =>
      /name="device_name"[^>]* value="([^"]*)"/.exec(
        (await browser.submit(`/device?lang=${language}`, '/device', { user_code })).body,
      )?.[1];
    expect(await offered('ko')).toBe('d-2의 명령줄 클라이언트');
    expect(await offered('en')).toBe('Command-line client on d-2');
  });

  test('a suggested name fits its field', async () => {
    const input = { client_id: 'cli', device_id: 'd'.repeat(255), device_name: null, address: '203.0.113.9' };
    const started = await service.get('startDeviceSignIn')(input);
    const { body } = await browser.submit('/device', '/device', {
      user_code: started.ok ? started.value.user_code : '',
    });
    expect(/name="device_name"[^>]* value="([^"]*)"/.exec(body)?.[1]).toHaveLength(100);
  });

  test('an approved device gets its key, under the person’s name for it', async () => {
    const { body } = await browser.submit('/device', '/device', { user_code: code });
    const fields = { ...hiddenFields(body, '/device/decide'), device_name: '내 노트북', decision: 'approve' };
    const decided = await browser.post('/device/decide', fields);
    expect(decided).toMatchObject({ status: 303, location: '/device/done?decision=approve' });
    expect((await browser.get(decided.location as string)).body).toContain('The device is connected');
    expect(await redeem()).toMatchObject({
      ok: true,
      value: { key: { account_id: 1, device: { name: '내 노트북' } } },
    });
    expect((await browser.get('/keys')).body).toContain('내 노트북');
    const again = await browser.post('/device/decide', fields);
    expect(again.status).toBe(422);
  });

  test.each(['deny', '', 'APPROVE'])('the decision %j approves no device', async (decision) => {
    const { body } = await browser.submit('/device', '/device', { user_code: code });
    const decided = await browser.post('/device/decide', { ...hiddenFields(body, '/device/decide'), decision });
    expect(decided.location).toBe('/device/done?decision=deny');
    expect(await redeem()).toMatchObject({ ok: false, code: 'access_denied' });
  });

  test.each(['', 'BCDF-GHJK', '"><script>', 'x'.repeat(400)])('the code %j is unknown', async (wrong) => {
    const { status, body } = await browser.submit('/device', '/device', { user_code: wrong });
    expect(status).toBe(422);
    expect(body).toContain('This code is wrong or has expired.');
    expect(body).not.toContain('"><script>');
  });

  test('trying many codes is refused temporarily', async () => {
    let answer = await browser.submit('/device', '/device', { user_code: 'BCDF-GHJK' });
    const form = hiddenFields(answer.body, '/device');
    for (let n = 0; n < 25; n++) answer = await browser.post('/device', { ...form, user_code: 'BCDF-GHJK' });
    expect(answer.status).toBe(429);
    expect(answer.body).toContain('Too many attempts.');
  });

  test('an account with a full key quota learns it before the device does', async () => {
    for (const id of [60, 61, 62]) {
      const scope = await service.get('apiKeys').scope(1, null);
      await service.get('apiKeys').change(grantPermit(), scope, { add: anApiKey({ id }) }, service.get('clock').now());
    }
    const { body } = await browser.submit('/device', '/device', { user_code: code });
    const decided = await browser.post('/device/decide', {
      ...hiddenFields(body, '/device/decide'),
      decision: 'approve',
    });
    expect(decided.status).toBe(409);
    expect(decided.body).toContain('<a class="button" href="/keys">');
  });

  test('the confirmation names the device that is replaced if the quota is full', async () => {
    for (const n of [1, 2, 3]) {
      const device = { client: 'cli', device: { device_id: `old-${n}`, name: `Old laptop ${n}` } };
      await service.get('createApiKey')(grantPermit(), { account_id: 1, name: 'cli', device });
    }
    const { body } = await browser.submit('/device', '/device', { user_code: code });
    expect(body).toContain('“Old laptop 1” is signed out');
  });

  test('a signed-out browser returns with the code', async () => {
    const asked = await new PageBrowser(server.url).get(`/device?user_code=${code}`);
    expect(asked.location).toBe(`/sign-in?next=${encodeURIComponent(`/device?user_code=${code}`)}`);
  });
});
