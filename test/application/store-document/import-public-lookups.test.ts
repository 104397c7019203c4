import { beforeEach, describe, expect, test } from 'vitest';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { aDisclosure, aLineage } from '../../support/public-builders.ts';
import { memoryService } from '../../support/service.ts';
import { aFolder, faultLines, importInto, productEntry } from '../../support/store-folder.ts';

let service: Service;
let folder: string;

beforeEach(async () => {
  service = memoryService();
  folder = await aFolder();
});

const load = (parts: object) => importInto(service, folder, parts);
const faultsOf = async (parts: object) => {
  const outcome = await load(parts);
  return outcome.ok ? [] : faultLines(outcome);
};
const PRODUCTS = { products: [1, 2].map((id) => productEntry({ id })) };

describe('the business disclosure', () => {
  const disclosure = aDisclosure();

  test('the disclosure is not found until it is imported and is then returned unchanged', async () => {
    expect(await service.get('showDisclosure')()).toMatchObject({ ok: false, code: 'not_found' });
    expect(await load({ disclosure })).toMatchObject({ value: { disclosure: { created: 1 } } });
    expect(await service.get('showDisclosure')()).toEqual({ ok: true, value: disclosure });
    expect(await load({ disclosure })).toMatchObject({ value: { disclosure: { unchanged: 1 } } });
  });

  test.each<[string, object, string]>([
    ['without one language', { en: disclosure.en }, 'ko'],
    ['without a field', { ...disclosure, ko: { ...disclosure.ko, phone: undefined } }, 'ko.phone'],
    ['with an invalid email address', { ...disclosure, en: { ...disclosure.en, email: 'nobody' } }, 'en.email'],
    [
      'with a script as its website',
      { ...disclosure, en: { ...disclosure.en, website: 'javascript:alert(1)' } },
      'en.website',
    ],
    ['without a company name', { ...disclosure, en: { ...disclosure.en, company_name: '' } }, 'en.company_name'],
  ])('a disclosure %s is refused', async (_, wrong, member) => {
    expect(await faultsOf({ disclosure: wrong })).toEqual([expect.stringMatching(`^disclosure.${member}: `)]);
  });
});

const WITHDRAWAL = { days: 14, time_zone: 'Europe/Berlin', terms_url: null };

describe('the shop’s own pages', () => {
  const storefront = { product_url: 'https://shop.example/p/{product_id}', product_detail_url: null };

  test('answers go to any deliverable address, which is stored in normal form', async () => {
    await load({ storefront: { ...storefront, reply_to: 'Help@München.de' } });
    const stored = (await service.get('catalogs').current()).storefront;
    expect(stored).toMatchObject({ reply_to: 'help@xn--mnchen-3ya.de' });
  });

  test('the pages are imported once and counted', async () => {
    expect(await load({ storefront })).toMatchObject({ value: { storefront: { created: 1 } } });
    expect((await service.get('catalogs').current()).storefront).toEqual(storefront);
    expect(await load({ storefront })).toMatchObject({ value: { storefront: { unchanged: 1 } } });
    for (const withdrawal of [WITHDRAWAL, null]) {
      const changed = { ...storefront, withdrawal };
      expect(await load({ storefront: changed })).toMatchObject({ value: { storefront: { updated: 1 } } });
      expect((await service.get('catalogs').current()).storefront).toEqual(changed);
    }
  });

  test.each([
    'https://shop.example/p',
    'javascript:alert({product_id})',
  ])('the page %s is refused', async (product_url) => {
    const faults = await faultsOf({ storefront: { ...storefront, product_url } });
    expect(faults).toEqual([expect.stringContaining('storefront.product_url: must ')]);
  });

  test.each([
    ['accent', 'teal', 'must be a color such as'],
    ['accent', '#ff9900', 'has a contrast of 1.99:1 with the light pages'],
    ['accent_dark', '#0f6b5c', 'would pass'],
    ['logo_url', 'http://shop.example/logo.png', 'must be an https URL'],
    ['links', { terms: { en: 'javascript:alert(1)' } }, 'must be a URL'],
    ['withdrawal', { ...WITHDRAWAL, days: 0 }, 'must be at least 1'],
    ['withdrawal', { ...WITHDRAWAL, days: 61 }, 'must be at most 60'],
    ['withdrawal', { ...WITHDRAWAL, time_zone: 'Korean time' }, 'must be the IANA name of a time zone'],
    ['withdrawal', { ...WITHDRAWAL, terms_url: 'http://shop.example' }, 'must be a URL'],
  ])('a storefront whose %s is %s is refused', async (field, value, why) => {
    const faults = await faultsOf({ storefront: { ...storefront, [field]: value } });
    expect(faults).toEqual([expect.stringMatching(new RegExp(`^storefront\\.${field}.*: .*${why}`))]);
  });
});

describe('the lineages of products', () => {
  test('lineages are imported once and counted', async () => {
    const parts = { ...PRODUCTS, lineages: [aLineage({ product_ids: [1, 2] })] };
    expect(await load(parts)).toMatchObject({ value: { lineages: { created: 1 } } });
    expect(await load(parts)).toMatchObject({ value: { lineages: { unchanged: 1 } } });
    const shown = await service.get('showLineage')({ slug: 'lineage-1', locale: 'en' });
    expect(shown).toMatchObject({ value: { lineage: { products: [{ role: 'predecessor' }, { role: 'current' }] } } });
  });

  test.each([
    ['the default current product is unpublished', [true, true, false], null, ['predecessor', 'current']],
    ['the named current product is unpublished', [true, false, true], 2, ['current', 'successor']],
    ['the named current product is the first one and unpublished', [false, true, true], 1, ['current', 'successor']],
    ['a product before the named current one is unpublished', [false, true, true], 3, ['predecessor', 'current']],
    ['no product is published', [false, false, false], 2, []],
  ])('a lineage hides unpublished products when %s', async (_, published, current_product_id, roles) => {
    const products = published.map((is, n) => ({ ...productEntry({ id: n + 1 }), published: is }));
    await load({ products, lineages: [aLineage({ product_ids: [1, 2, 3], current_product_id })] });
    const shown = await service.get('showLineage')({ slug: 'lineage-1', locale: 'en' });
    expect(shown).toMatchObject({ value: { lineage: { products: roles.map((role) => ({ role })) } } });
    const { lineages } = await service.get('listLineages')({ locale: 'en' });
    expect(lineages[0]?.current_product !== null).toBe(roles.length > 0);
  });

  test('lineages with faults are refused with every fault by its path', async () => {
    await load({ ...PRODUCTS, lineages: [aLineage({ id: 9, slug: 'taken' })] });
    const lineages = [
      aLineage({ id: 1, slug: 'taken', product_ids: [1, 3] }),
      aLineage({ id: 2, slug: 'same' }),
      aLineage({ id: 2, slug: 'same', product_ids: [1, 4], current_product_id: 4 }),
    ];
    expect(await faultsOf({ lineages })).toEqual([
      'lineages.2.id: 2 is already the id of lineages.1',
      'lineages.2.slug: "same" is already the slug of lineages.1',
      'lineages.0.slug: "taken" is already the slug of lineage 9',
      'lineages.0.product_ids.1: there is no product 3',
      'lineages.2.product_ids.1: there is no product 4',
      'lineages.2.current_product_id: there is no product 4',
    ]);
    const alone = [aLineage({ id: 1, product_ids: [1, 2, 1] }), aLineage({ id: 2, current_product_id: 2 })];
    expect(await faultsOf({ lineages: alone })).toEqual([
      'lineages.0.product_ids.2: 1 is named twice',
      'lineages.1.current_product_id: product 2 is none of its product_ids',
    ]);
  });

  test('a lineage can take over a slug that another lineage gives up in the same import', async () => {
    await load({ ...PRODUCTS, lineages: [aLineage({ id: 9, slug: 'taken' })] });
    const lineages = [aLineage({ id: 9, slug: 'other' }), aLineage({ id: 1, slug: 'taken' })];
    expect(await faultsOf({ lineages })).toEqual([]);
  });
});
