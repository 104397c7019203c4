import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ApiKey } from '../../../../domain/access/api-key.ts';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import { KEY_PRESET_NAMES, KEY_PRESETS } from '../../../../domain/access/key-presets.ts';
import type { Service } from '../../../../runtimes/composition/bootstrap.ts';
import { anAccount } from '../../../support/account-builders.ts';
import { aBuyersService, openPages, type PagesServer } from '../../../support/account-pages.ts';
import { anApiKey, anEntitlement, aProduct } from '../../../support/builders.ts';
import { hiddenFields, type PageBrowser } from '../../../support/page-browser.ts';

const INPUT = { name: 'Build server', ability: ['products.read', 'orders.read'], product: '', expires: '' };

describe('the page of keys', () => {
  let service: Service;
  let server: PagesServer;
  let browser: PageBrowser;

  beforeEach(async () => {
    service = await aBuyersService({
      accounts: [anAccount({ id: 2 })],
      products: [aProduct({ id: 1, name: { en: 'Hashcheck' } }), aProduct({ id: 2, name: { en: 'Foreign' } })],
      entitlements: [anEntitlement({ product_id: 1 })],
      keys: [anApiKey({ id: 50, account_id: 2, name: 'Not yours' })],
    });
    ({ server, browser } = await openPages(service));
  });

  afterEach(() => server.close());

  const keys = async (account = 1): Promise<readonly ApiKey[]> => {
    const listed = await service.get('listApiKeys')({ account_id: account });
    return listed.ok ? listed.value : [];
  };

  test.each([
    ['', 'agent'],
    ['?use=script', 'script'],
    ['?use=build', 'build'],
    ['?use=unknown', 'agent'],
  ] as const)('the form at /keys%s starts with the use and the abilities of a key for: %s', async (query, use) => {
    const { body } = await browser.get(`/keys${query}`);
    const ticked = [...body.matchAll(/name="ability" value="([^"]+)" checked/g)].map(([, ability]) => ability);
    expect(ticked.toSorted()).toEqual([...KEY_PRESETS[use]].sort());
    expect(body.match(/name="use" value="[a-z]+" checked/g)).toEqual([`name="use" value="${use}" checked`]);
    expect(body).not.toContain('Foreign');
    expect(body).not.toContain('Not yours');
  });

  test('a key is shown once, works, and is then listed by its prefix', async () => {
    const created = await browser.submit('/keys', '/keys', INPUT);
    expect(created.status).toBe(201);
    const value = /<code id="value"[^>]*>(svc_[^<]+)<\/code>/.exec(created.body)?.[1] as string;
    const principal = await service.get('authenticate')(value);
    expect(principal).toMatchObject({ ok: true, value: { account_id: 1, abilities: INPUT.ability, product_id: null } });
    const list = (await browser.get('/keys')).body;
    expect(list).not.toContain(value);
    expect(list).toContain(`${value.slice(0, 14)}…`);
  });

  test.each(
    KEY_PRESET_NAMES,
  )('a key for a use (%s) has the abilities of the use, whatever other boxes are ticked', async (use) => {
    expect((await browser.submit('/keys', '/keys', { ...INPUT, use, ability: ['device.usage'] })).status).toBe(201);
    expect([...((await keys())[0]?.abilities ?? [])].sort()).toEqual([...KEY_PRESETS[use]].sort());
  });

  test('sending the same form again creates no second key and shows no value', async () => {
    const form = hiddenFields((await browser.get('/keys')).body, '/keys');
    await browser.post('/keys', { ...form, ...INPUT });
    const reloaded = await browser.post('/keys', { ...form, ...INPUT });
    expect(reloaded).toMatchObject({ status: 303, location: '/keys?done=twice' });
    expect(await keys()).toHaveLength(1);
    expect((await browser.get('/keys?done=twice')).body).toContain('This form was already sent.');
  });

  test('a key for an agent is shown with the command that adds the account, and no other key is', async () => {
    const of = async (use: string) =>
      (await browser.submit('/keys', '/keys', { ...INPUT, use })).body.replaceAll(/<\/?span[^>]*>/g, '');
    expect(await of('script')).not.toContain('claude mcp add');
    expect(await of('agent')).toMatch(
      /account https:\/\/api\.example\.com\/api\/mcp --header &quot;Authorization: Bearer svc_[\w-]+&quot;<\/code>/,
    );
  });

  test('a key of a product that the account no longer owns names it', async () => {
    const key = anApiKey({ id: 51, account_id: 1, product_id: 2 });
    const scope = await service.get('apiKeys').scope(1, 2);
    await service.get('apiKeys').change(grantPermit(), scope, { add: key, revoke: [] }, key.created_at);
    expect((await browser.get('/keys')).body).toMatch(/<dd[^>]*>Foreign<\/dd>/);
  });

  test('a key for one product with an expiry is created as requested', async () => {
    await browser.submit('/keys', '/keys', { ...INPUT, product: '1', expires: '2099-02-28' });
    expect((await keys())[0]).toMatchObject({ product_id: 1, expires_at: '2099-02-28T23:59:59.999Z' });
    const { body } = await browser.get('/keys');
    expect(body).toContain('28 February 2099');
    expect(body).toContain('Hashcheck');
  });

  test.each([
    ['no name', { name: '  ' }, 'Give the key a name'],
    ['a name that is too long', { name: 'x'.repeat(101) }, 'Give the key a name'],
    ['no ability', { ability: [] }, 'Choose at least one permission'],
    ['only abilities that there are not', { ability: ['support.staff'] }, 'Choose at least one permission'],
    ['the product of somebody else', { product: '2' }, 'Choose one of your products'],
    ['a product that does not exist', { product: '99' }, 'Choose one of your products'],
    ['a day that has passed', { expires: '2020-01-01' }, 'Enter a future day'],
    ['a day that there is not', { expires: '2099-02-30' }, 'Enter a future day'],
    ['no day at all', { expires: 'tomorrow' }, 'Enter a future day'],
  ])('a form with %s is shown again with the reason and creates nothing', async (_, fields, reason) => {
    const answer = await browser.submit('/keys', '/keys', { ...INPUT, ...fields });
    expect(answer.status).toBe(422);
    expect(answer.body).toContain(reason);
    expect(answer.body.match(/ autofocus/g)).toHaveLength(1);
    const id = answer.body.match(
      /<[^>]*aria-describedby="[^"]*?([a-z]+-error)"[^>]*aria-invalid="true"[^>]* autofocus/,
    )?.[1];
    expect(answer.body).toContain(`<p class="wrong" id="${id}">${reason}`);
    expect(await keys()).toHaveLength(0);
  });

  test('a form with an error keeps its input', async () => {
    const { body } = await browser.submit('/keys', '/keys', { ...INPUT, name: '"<b>', expires: '2020-01-01' });
    expect(body).toContain('value="&quot;&lt;b&gt;"');
    expect(body).toContain('value="orders.read" checked');
    expect(body).not.toContain('value="mcp.read" checked');
    expect((await browser.post('/keys', { ...hiddenFields(body, '/keys'), ...INPUT })).status).toBe(201);
  });

  test('a key’s name is stored on one line without invisible characters', async () => {
    await browser.submit('/keys', '/keys', { ...INPUT, name: ' \u202ebuild\u0000server\u200b' });
    expect(await keys()).toMatchObject([{ name: 'build server' }]);
    const empty = await browser.submit('/keys', '/keys', { ...INPUT, name: '\u200b\u202e' });
    expect(empty.status).toBe(422);
  });

  test('the limit of keys is shown before the form', async () => {
    const limited = await openPages(await aBuyersService({}, { keyQuota: 7 }));
    const { body } = await limited.browser.get('/keys');
    await limited.server.close();
    expect(body).toContain('You can have 7 keys for the whole account and 7 for each product.');
    expect(body.indexOf('You can have 7')).toBeLessThan(body.indexOf('action="/keys"'));
  });

  test('a fourth key is refused with the limit and advice', async () => {
    for (let n = 0; n < 3; n++) expect((await browser.submit('/keys', '/keys', INPUT)).status).toBe(201);
    const refused = await browser.submit('/keys', '/keys', INPUT);
    expect(refused.status).toBe(409);
    expect(refused.body).toContain('You already have 3 keys of this kind');
    expect(await keys()).toHaveLength(3);
  });

  test('a key is revoked after a confirmation and ends at once', async () => {
    const created = await browser.submit('/keys', '/keys', INPUT);
    const value = /(svc_[\w-]{20,})/.exec(created.body)?.[1] as string;
    const revoked = await browser.submit('/keys', '/keys/revoke', {});
    expect(revoked.location).toBe('/keys?done=revoked');
    expect((await service.get('authenticate')(value)).ok).toBe(false);
    expect((await browser.get('/keys?done=revoked')).body).toContain('No keys yet');
  });

  test('the newest key is listed first, and its confirmation and button name it', async () => {
    for (const name of ['Old one', 'New one']) await browser.submit('/keys', '/keys', { ...INPUT, name });
    const { body } = await browser.get('/keys');
    expect(body).toContain('<h1>API keys</h1>');
    expect([...body.matchAll(/<h3>(\w+ one)<\/h3>/g)].map(([, name]) => name)).toEqual(['New one', 'Old one']);
    expect(body).toContain('Everything that uses “New one” stops working immediately.');
    expect(body).toContain('Revoke “New one”</button>');
  });

  test('the confirmation for a device’s key says that the device keeps its slot', async () => {
    await browser.submit('/keys', '/keys', INPUT);
    const counts = 'The device still counts as one of your devices until you release it';
    expect((await browser.get('/keys')).body).not.toContain(counts);
    const device = { client: 'cli', device: { device_id: 'laptop', name: 'Laptop' } };
    await service.get('createApiKey')(grantPermit(), { account_id: 1, name: 'Laptop', device });
    expect((await browser.get('/keys')).body).toContain(counts);
  });

  test('another account’s key looks already revoked and stays valid', async () => {
    await browser.submit('/keys', '/keys', INPUT);
    const foreign = await browser.submit('/keys', '/keys/revoke', { key: '50' });
    expect(foreign.location).toBe('/keys?done=gone');
    expect((await keys(2))[0]?.revoked_at).toBeNull();
  });
});
