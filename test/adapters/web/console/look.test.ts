import { afterEach, describe, expect, test } from 'vitest';
import { type Console, MEMBER, openConsole } from '../../../support/console.ts';
import { aMailer, MAILING, sendAll } from '../../../support/mail.ts';
import { hiddenFields } from '../../../support/page-browser.ts';
import { A_STOREFRONT } from '../../../support/public-builders.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

describe('the storefront settings in the console', () => {
  let shop: Console;

  afterEach(async () => {
    expect(shop.faults).toEqual([]);
    await shop.close();
  });

  const open = async (role?: 'catalog', more: Parameters<typeof openConsole>[2] = {}) => {
    shop = await openConsole({ storefront: { ...A_STOREFRONT, name: 'Quiet Desk' } }, role, more);
  };
  const stored = async () => (await shop.service.get('catalogs').current()).storefront;
  const send = (word: string, fields: object) =>
    shop.browser.submit('/look', `/look/${word}`, fields as Readonly<Record<string, string>>);

  test('a proposed storefront is previewed on pages and mails without saving', async () => {
    await open();
    const face = { name: 'Loud Desk', accent: '#0f6b5c', accent_dark: '', logo_has_name: 'false' };
    const { csrf = '' } = hiddenFields((await shop.browser.get('/look')).body, '/look/face');
    const { location } = await shop.browser.post('/look/preview', { csrf, ...face });
    expect(location).toMatch(/#preview$/);
    const { body, headers } = await shop.browser.get(location ?? '');
    expect(body).toContain('This is a preview.');
    expect(body).toContain('value="Loud Desk"');
    expect(headers.get('content-security-policy')).toContain("frame-src 'self'");
    const frames = [...body.matchAll(/<iframe[^>]* src="([^"]+)"[^>]* sandbox/g)].map(([, src = '']) => src);
    expect(frames).toHaveLength(3);
    for (const src of frames) {
      const framed = await shop.browser.get(src.replaceAll('&amp;', '&'));
      expect([framed.status, framed.body.includes('Loud Desk')]).toEqual([200, true]);
      expect(framed.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'.+frame-ancestors 'self'; sandbox$/,
      );
      expect(framed.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    }
    expect(await stored()).toMatchObject({ name: 'Quiet Desk' });
  });

  test.each([
    [
      'face',
      { name: 'Loud Desk', accent: '#0f6b5c', accent_dark: '', logo_has_name: 'true' },
      { name: 'Loud Desk', accent: '#0f6b5c', logo_has_name: true },
    ],
    [
      'links',
      { 'links.terms.en': 'https://shop.example/terms' },
      { links: { terms: { en: 'https://shop.example/terms' } } },
    ],
    [
      'languages',
      { first: 'de', languages: ['en', 'de'], time_zone: 'Europe/Berlin', reply_to: 'a@example.com' },
      { languages: ['de', 'en'], time_zone: 'Europe/Berlin', reply_to: 'a@example.com' },
    ],
    [
      'terms',
      { days: '14', zone: 'Europe/Berlin', terms_url: '', tax_number: 'DE1' },
      { withdrawal: { days: 14, time_zone: 'Europe/Berlin', terms_url: null }, tax_number: 'DE1' },
    ],
  ])('the settings save %s', async (word, fields, saved) => {
    await open();
    expect((await send(word, fields)).location).toMatch(/^\/look\?done=Saved/);
    expect(await stored()).toMatchObject(saved);
  });

  test('the settings save the seller’s details and the rules for applications', async () => {
    await open();
    await send('seller', { 'en.company_name': 'Example Ltd.', 'ko.company_name': '예시' });
    await send('policy', { min_client_version: '2.0', ttl_days: '30', recheck_hours: '12' });
    const { disclosure, policy } = await shop.service.get('catalogs').current();
    expect(disclosure?.en).toMatchObject({ company_name: 'Example Ltd.', phone: '' });
    expect(policy).toMatchObject({ min_client_version: '2.0', ttl_days: 30, recheck_hours: 12, version: 1 });
  });

  test('an unreadable color is shown again with a readable proposal', async () => {
    await open();
    const { status, body } = await send('face', { name: 'Loud Desk', accent: '#ff9900', accent_dark: '' });
    expect([status, body.includes('value="#ff9900"'), body.includes('value="Loud Desk"')]).toEqual([422, true, true]);
    expect(body).toContain('aria-invalid="true"');
    expect(await stored()).toMatchObject({ name: 'Quiet Desk' });
  });

  test('an uploaded logo is stored, served and removed', async () => {
    await open();
    const { csrf = '' } = hiddenFields((await shop.browser.get('/look')).body, '/look/logo');
    const upload = (bytes: Buffer) => shop.browser.attach('/look/logo', { csrf, scheme: 'light' }, 'logo.png', bytes);
    expect((await upload(Buffer.from('<svg/>'))).body).toContain('is not a PNG, JPEG or WebP');
    await upload(PNG);
    expect(await stored()).toMatchObject({ logo_url: `data:image/png;base64,${PNG.toString('base64')}` });
    expect((await shop.browser.get('/look')).body).toContain('src="/assets/logo"');
    await send('remove-logo', { scheme: 'light' });
    expect((await stored())?.logo_url).toBeUndefined();
  });

  test('the previewed example is mailed to the requesting member', async () => {
    const mailer = aMailer();
    await open(undefined, { overrides: { mailer }, settings: MAILING });
    expect((await send('test', { kind: 'refund', language: 'de' })).location).toContain(
      encodeURIComponent(MEMBER.email),
    );
    expect(await sendAll(shop.service)).toEqual(['sent']);
    expect(mailer.sent).toMatchObject([{ to: MEMBER.email, from_name: 'Quiet Desk' }]);
  });
});
