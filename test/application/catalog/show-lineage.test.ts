import { expect, test } from 'vitest';
import type { Locale } from '../../../domain/shared/locale.ts';
import { catalog } from '../../../runtimes/composition/areas/catalog.ts';
import { aProduct } from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';
import { aLineage } from '../../support/public-builders.ts';

const show = async (all: Contents, slug = 'lineage-1', locale: Locale = 'en') => {
  const service = await aStore([catalog], all);
  return service.get('showLineage')({ slug, locale });
};

test('a lineage shows its products from the oldest on, around the current one', async () => {
  const shown = await show({
    products: [1, 2, 3].map((id) => aProduct({ id })),
    lineages: [aLineage({ product_ids: [3, 1, 2], current_product_id: 1 })],
  });
  const products = [
    { position: 1, id: 3, role: 'predecessor' },
    { position: 2, id: 1, role: 'current' },
    { position: 3, id: 2, role: 'successor' },
  ];
  expect(shown).toMatchObject({ ok: true, value: { lineage: { slug: 'lineage-1', products } } });
});

test('a lineage shows a product that is no longer sold, and hides an unpublished one without a gap', async () => {
  const shown = await show({
    products: [aProduct({ id: 1, active: false }), aProduct({ id: 2, published: false }), aProduct({ id: 3 })],
    lineages: [aLineage({ product_ids: [1, 2, 3] })],
  });
  const products = [
    { position: 1, id: 1, active: false },
    { position: 2, id: 3, active: true },
  ];
  expect(shown).toMatchObject({ value: { lineage: { products } } });
});

test('a lineage is shown in the requested language or, without one, in the other', async () => {
  const lineage = aLineage({ name: { en: 'Clocks', ko: '시계들' }, description: { en: 'They tick.' } });
  expect(await show({ products: [aProduct()], lineages: [lineage] }, 'lineage-1', 'ko')).toMatchObject({
    value: { lineage: { name: '시계들', description: 'They tick.' } },
  });
});

test.each([
  ['that does not exist', 'lineage-9'],
  ['that is not active', 'lineage-2'],
])('a lineage %s is not found', async (_, slug) => {
  const all = { products: [aProduct()], lineages: [aLineage(), aLineage({ id: 2, active: false })] };
  expect(await show(all, slug)).toMatchObject({ ok: false, code: 'not_found' });
});

test('a lineage and its products have empty names if they have no text', async () => {
  const shown = await show({
    products: [aProduct({ name: { en: '' }, type_label: { ko: ' ' }, description: { en: '' } })],
    lineages: [aLineage({ name: { en: '' }, description: { en: '' } })],
  });
  const products = [{ name: '', type_label: '', description: null }];
  expect(shown).toMatchObject({ value: { lineage: { name: '', description: null, products } } });
});
