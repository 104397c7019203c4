import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { csrfToken } from '../../../../adapters/web/account/csrf.ts';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import type { Product } from '../../../../domain/catalog/product.ts';
import { newTrial } from '../../../../domain/licensing/trial.ts';
import { anArtifact, aProduct, aRelease } from '../../../support/builders.ts';
import { type Console, openConsole } from '../../../support/console.ts';
import { hiddenFields } from '../../../support/page-browser.ts';

const TOOL = {
  name: { en: 'Sum <b>', ko: '합' },
  slug: 'sum',
  delivery: { ...aProduct().delivery, strategy: 'binary' },
} as const;
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000100000001000'.padEnd(80, '0'), 'hex');

let shop: Console;
const open = async (products: readonly Product[] = [aProduct({ id: 1, ...TOOL })], role?: 'orders' | 'catalog') => {
  shop = await openConsole(
    { products, releases: products.map((_, n) => aRelease({ id: n + 1, artifacts: [anArtifact()] })) },
    role,
  );
};
const stored = async (id = 1) => (await shop.service.get('catalogs').current()).products.get(id);
const products = async () => [...(await shop.service.get('catalogs').current()).products.values()];
const words = async (path: string) => (await shop.browser.get(path)).body;
const attach = async (page: string, action: string, fields: Record<string, string>, bytes: Uint8Array) =>
  shop.browser.attach(action, { ...hiddenFields(await words(page), action), ...fields }, 'sum.zip', bytes);

afterEach(async () => {
  await shop.close();
  expect(shop.faults).toEqual([]);
});

describe('the products in the console', () => {
  test('an empty shop explains products, and a short form adds one that names its next step', async () => {
    await open([]);
    expect(await words('/products')).toContain('No products yet');
    const fields = {
      'name.en': 'Note Pad',
      kind: 'tool',
      unit_price_cents: '19.50',
      'unit_price_cents:currency': 'EUR',
      device_limit: '2',
    };
    const added = await shop.browser.submit('/products/new', '/products/new/add', fields);
    const again = await shop.browser.submit('/products/new', '/products/new/add', fields);
    expect([added.status, again.status]).toEqual([303, 303]);
    expect(await products()).toMatchObject([
      {
        slug: 'note-pad',
        type: 'tool',
        unit_price_cents: 1950,
        currency: 'EUR',
        device_limit: 2,
        delivery: { strategy: 'binary' },
      },
      { slug: 'note-pad-2' },
    ]);
    expect(await words(added.location ?? '')).toContain('Publish a first version');
    expect(await words('/products')).toContain('Publish a first version');
  });

  test('the list mentions a missing payment provider once, and each product’s own gaps beside it', async () => {
    const one = (id: number): Product => aProduct({ id, ...TOOL, slug: `sum-${id}` });
    await open([one(1), one(2)]);
    expect((await words('/products')).split('No payment provider is connected')).toHaveLength(2);
  });

  test('a product on sale that nobody could install says so where it says “On sale”', async () => {
    await open();
    const badges = async () =>
      Promise.all(
        ['/products', '/products/1'].map(
          async (path) => (await words(path)).match(/(?<=class="badge \w*">)[^<]+/)?.[0],
        ),
      );
    expect(await badges()).toEqual(['On sale', 'On sale']);
    await shop.service
      .get('catalogEditor')
      .save(grantPermit(), { kind: 'product', value: aProduct({ id: 2, ...TOOL }) });
    expect((await words('/products/2')).match(/On sale[^<]*/)?.[0]).toBe('On sale without a version');
    expect(await words('/products')).toContain('>On sale without a version<');
  });

  test('a product with a trial shows its started trials by month', async () => {
    await open([aProduct({ id: 1, ...TOOL, trial_days: 14 })]);
    const now = shop.service.get('clock').now();
    const read = { trial: undefined, version: null };
    await shop.service.get('trials').start(grantPermit(), 'laptop', newTrial(1, 14, now), read);
    expect(await words('/products/1')).toMatch(new RegExp(`${now.slice(0, 7)}</th><td[^>]*>1</td><td[^>]*>0</td>`));
  });

  test('a refused product is shown again with the typed text', async () => {
    await open([]);
    const fields = {
      'name.en': 'Note Pad',
      kind: 'app',
      unit_price_cents: 'much',
      'unit_price_cents:currency': 'EUR',
      device_limit: '2',
    };
    const { status, body } = await shop.browser.submit('/products/new', '/products/new/add', fields);
    expect([status, body.includes('value="Note Pad"'), body.includes('value="much"')]).toEqual([422, true, true]);
    expect(body).toContain('Write the amount in digits');
    expect(await products()).toEqual([]);
  });

  test('every field of a form whose session ended stands in that form again, and in no other', async () => {
    await open();
    const fields = {
      ...hiddenFields(await words('/products/1'), '/products/1/terms'),
      csrf: csrfToken('x'.repeat(43)),
      device_limit: '9',
      unit_price_cents: '12.34',
      trial_days: '<7',
      license_keys: 'true',
    };
    const sent = await shop.browser.post('/products/1/terms', fields);
    expect([sent.location, (await stored())?.device_limit]).toEqual(['/products/1?kept=1', null]);
    const again = await words('/products/1?kept=1');
    const form = /action="\/products\/1\/terms"[\s\S]*?<\/form>/.exec(again)?.[0] ?? '';
    for (const part of ['name="device_limit"', 'name="unit_price_cents"', 'name="trial_days"'])
      expect(form).toContain(part);
    expect(form).toMatch(/value="9"[\s\S]*value="&lt;7"/);
    expect(form).toMatch(/name="license_keys"[\s\S]*?<option value="true" selected>/);
    expect(again.replace(form, '')).not.toContain('12.34');
    const languages = { csrf: fields.csrf, languages: ['ko', 'ja'], first: 'ko' };
    await shop.browser.post('/look/languages', languages);
    const checked = (await words('/look?kept=1')).matchAll(/name="languages" value="(\w+)" checked/g);
    expect([...checked].map(([, one]) => one)).toEqual(['ko', 'ja']);
    const tampered = { csrf: csrfToken('x'.repeat(43)) };
    expect((await shop.browser.post('/products/1/terms', tampered)).status).toBe(403);
    const long = { ...fields, slug: 'x'.repeat(100_001) };
    expect((await shop.browser.post('/products/1/terms', long)).body).toContain('Copy your text');
  });

  test('buyers read a plug-in’s kind, and no client takes it for a file of an editor', async () => {
    await open([]);
    const fields = { 'name.en': 'Reverb', kind: 'plug-in', unit_price_cents: '9', 'unit_price_cents:currency': 'EUR' };
    await shop.browser.submit('/products/new', '/products/new/add', fields);
    expect(await products()).toMatchObject([
      { type: 'extension', type_label: { en: 'Plug-in' }, delivery: { strategy: 'manual' } },
    ]);
  });

  test('a shop without Korean pages is asked for no Korean texts, except for those that it has', async () => {
    await open([aProduct({ id: 1, ...TOOL, description: null })]);
    const asked = async () => (await words('/products/1')).match(/name="\w+\.ko"/g);
    expect(await asked()).toContain('name="description.ko"');
    await shop.browser.submit('/look', '/look/languages', { first: 'de', languages: 'de' });
    expect(await asked()).toEqual(expect.arrayContaining(['name="name.ko"']));
    expect(await asked()).not.toContain('name="description.ko"');
    expect(await words('/releases/1/new')).not.toContain('notes_ko');
    expect(await words('/look')).not.toMatch(/name="(links\.\w+\.ko|ko\.\w+)"/);
  });

  test('texts, terms, details and states can be changed, and emptied fields are removed', async () => {
    await open([
      aProduct({ id: 1, ...TOOL, platforms: ['darwin-arm64', 'windows'], list_price_cents: 500, license_keys: true }),
    ]);
    expect(await words('/products/1')).toContain('Sum &lt;b&gt;');
    const submit = (word: string, fields: Record<string, string | string[]>) =>
      shop.browser.submit('/products/1', `/products/1/${word}`, fields);
    const texts = {
      'name.en': 'Sums',
      'name.ko': '',
      'type_label.en': 'Tool',
      'description.en': '',
      'description.ko': '더하기',
      'detail_html.en': '<p>Sums</p>',
    };
    for (const [word, fields] of [
      ['texts', texts],
      ['terms', { unit_price_cents: '0', list_price_cents: '', device_limit: '', license_keys: '' }],
      [
        'details',
        {
          platforms: ['macos', 'linux'],
          bundle_id: 'com.example.sum',
          feed: 'entitled',
          shared_devices: 'refused',
          uncovered_versions: 'allowed',
        },
      ],
    ] as const)
      expect(await submit(word, fields as never)).toMatchObject({ status: 303 });
    expect(
      (
        await shop.browser.post('/products/1/state', {
          ...hiddenFields(await words('/products/1'), '/products/1/state'),
        })
      ).status,
    ).toBe(303);
    expect(await stored()).toMatchObject({
      name: { en: 'Sums' },
      description: { ko: '더하기' },
      unit_price_cents: 0,
      list_price_cents: null,
      device_limit: null,
      platforms: ['darwin-arm64', 'linux'],
      feed: 'entitled',
      shared_devices: 'refused',
      published: false,
    });
    expect(Object.keys((await stored()) ?? {})).not.toContain('license_keys');
    expect((await shop.service.get('catalogs').content(1))?.detail_html).toEqual({ en: '<p>Sums</p>' });
    expect((await submit('texts', { ...texts, 'name.en': ' ' })).status).toBe(422);
  });

  test('license terms are written as lines and names, shown the same way, and removed when emptied', async () => {
    await open();
    const terms = {
      slots: 'sessions',
      license_keys: 'shown',
      editions: 'basic:\n pro : export,sync \n',
      features: 'open',
      metadata: 'plan=a=b',
      trial_days: '14',
      ttl_days: 'never',
      lease_minutes: '5',
      borrow_days: '3',
    };
    const submit = (fields: object) =>
      shop.browser.submit('/products/1', '/products/1/terms', { unit_price_cents: '0', ...fields });
    expect((await submit(terms)).status).toBe(303);
    const held = {
      slots: 'sessions',
      license_keys: { shown: true },
      editions: [
        { name: 'basic', features: [] },
        { name: 'pro', features: ['export', 'sync'] },
      ],
      features: ['open'],
      metadata: { plan: 'a=b' },
      trial_days: 14,
      ttl_days: null,
      lease_minutes: 5,
      borrow_days: 3,
    };
    expect(await stored()).toMatchObject(held);
    const page = await words('/products/1');
    for (const text of ['pro: export, sync', 'plan=a=b', 'value="never"', 'value="sessions" selected'])
      expect(page).toContain(text);
    expect((await submit({ ttl_days: '400' })).status).toBe(422);
    expect((await submit({ editions: 'pro:\npro:' })).status).toBe(422);
    expect(await stored()).toMatchObject(held);
    await submit(Object.fromEntries(Object.keys(terms).map((name) => [name, name === 'slots' ? 'devices' : ''])));
    expect(Object.keys((await stored()) ?? {}).filter((name) => name in terms)).toEqual([]);
  });

  test('a provider’s price can be added and removed', async () => {
    await open();
    const price = {
      provider: 'stripe',
      price: 'price_1',
      access_days: '365',
      updates_days: '',
      grace_days: '3',
      renewal: ['false'],
      features: 'export, sync',
      requires: '*',
    };
    await shop.browser.submit('/products/1', '/products/1/add-price', price);
    expect((await stored())?.prices).toMatchObject([
      {
        provider: 'stripe',
        id: 'price_1',
        access_days: 365,
        updates_days: null,
        grace_days: 3,
        features: ['export', 'sync'],
        requires: [],
      },
    ]);
    expect(await words('/products/1')).toContain('access for 365 days, export, sync, add-on');
    await shop.browser.submit('/products/1', '/products/1/remove-price', {});
    expect((await stored())?.prices).toBe(undefined);
  });

  test('a picture is shown, and another kind of file is refused beside its form', async () => {
    await open();
    const send = (bytes: Uint8Array) => attach('/products/1', '/products/1/picture', { alt: 'A sum' }, bytes);
    expect((await send(PNG)).status).toBe(303);
    expect(await words('/products/1')).toContain('<img src="/assets/pictures/1');
    expect((await shop.browser.get('/assets/pictures/1')).headers.get('content-type')).toBe('image/png');
    const refused = await send(Buffer.from('<script>1</script>'));
    expect([refused.status, refused.body.includes('is not a PNG')]).toEqual([409, true]);
  });

  test('a product from a store document says that an import replaces it', async () => {
    await open([aProduct({ id: 1, ...TOOL, managed_by: 'document' })]);
    expect(await words('/products/1')).toContain('its next import replaces');
  });

  test('the policy’s signing key is made if it is missing', async () => {
    await open();
    await shop.browser.submit('/products/1', '/products/1/key', {});
    expect((await shop.service.get('signingKeyRings').policy.read()).ring).toHaveLength(1);
  });
});

describe('the releases in the console', () => {
  beforeEach(() => open());
  const NEW = '/releases/1/new';
  const publish = (fields: Record<string, string>, bytes: Uint8Array = Buffer.from('sum')) =>
    attach(
      NEW,
      `${NEW}/publish`,
      { channel: 'beta', platform: '', notes_en: 'Faster', notes_ko: '', ...fields },
      bytes,
    );

  test('the build number is asked of macOS applications, whose updates need it, before their file is sent', async () => {
    expect(await words(NEW)).not.toMatch(/name="build"[^>]* required/);
    await shop.close();
    await open([aProduct({ id: 1, ...TOOL, delivery: { ...TOOL.delivery, strategy: 'macos-app' } })]);
    const body = await words(NEW);
    expect(body).toMatch(/name="build"[^>]* required/);
    expect(body.indexOf('name="build"')).toBeLessThan(body.indexOf('<details class="more"'));
  });

  test('a version is published with its file and shown with each channel’s offer', async () => {
    const published = await publish({ version: '2.0.0', 'sparkle.phased_rollout_interval': '86400', critical: 'true' });
    expect(published.location).toContain('/releases/1/2.0.0?');
    expect(await words(published.location ?? '')).toContain('Faster');
    const [newest] = (await shop.service.get('releaseEditor').released(1)).filter(({ version }) => version === '2.0.0');
    expect(newest).toMatchObject({
      channel: 'beta',
      sparkle: { phased_rollout_interval: 86_400, critical: {} },
      artifacts: [{ filename: 'sum.zip' }],
    });
    const list = await words('/releases/1');
    expect(list.indexOf('2.0.0')).toBeLessThan(list.indexOf('1.0.0</a>'));
    expect(await words('/releases')).toContain('2.0.0');
  });

  test.each([
    ['without a file', { version: '2.0.0' }, new Uint8Array(), 'Fill this in'],
    ['with other bytes of a published version', { version: '1.0.0' }, Buffer.from('other'), '1.0.0'],
  ])('a version %s is refused beside its form', async (_, fields, bytes, message) => {
    const { status, body } = await publish(fields, bytes);
    expect([status >= 400, body.includes(message), body.includes(`value="${fields.version}"`)]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('a version can be moved, withdrawn with its consequence shown, and offered again', async () => {
    const page = '/releases/1/1.0.0';
    expect(await words(page)).toContain('Customers of this channel are then offered: nothing');
    const take = (word: string, fields: Record<string, string>) => shop.browser.submit(page, `${page}/${word}`, fields);
    await take('move', { channel: 'dev' });
    await take('withdraw', { reason: 'It deletes files.' });
    const release = async () => (await shop.service.get('releaseEditor').read(1, '1.0.0')).release;
    expect(await release()).toMatchObject({ channel: 'dev', withdrawn: { reason: 'It deletes files.' } });
    expect(await words(page)).toContain('Withdrawn: It deletes files.');
    await take('restore', {});
    expect((await release())?.withdrawn).toBe(undefined);
  });

  test('an unknown version and an unknown product are not found', async () => {
    for (const path of ['/releases/1/9.9.9', '/releases/nothing', '/releases/nothing/new'])
      expect((await shop.browser.get(path)).status).toBe(404);
  });
});
