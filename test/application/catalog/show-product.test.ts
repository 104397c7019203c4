import { expect, test } from 'vitest';
import type { Product } from '../../../domain/catalog/product.ts';
import type { Access } from '../../../domain/licensing/access.ts';
import type { Locale } from '../../../domain/shared/locale.ts';
import { catalog } from '../../../runtimes/composition/areas/catalog.ts';
import { aProduct } from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';
import { done } from '../../support/outcomes.ts';
import { PERMIT, passed } from '../../support/permits.ts';
import { anAccess } from '../../support/public-builders.ts';

type Shown = Contents & { readonly locale?: Locale; readonly access?: Promise<Access> };

const show = async (product: Product, { locale = 'en', access = anAccess(), ...all }: Shown = {}) => {
  const service = await aStore([catalog], { products: [product], ...all });
  return done(await passed(service.get('showProduct')({ product, locale }), PERMIT, access)).product;
};

test('a product is shown as owned only to an account that may use it', async () => {
  expect(await show(aProduct())).toMatchObject({ entitled: true });
  const access = Promise.resolve({ granted: false, reason: 'not_entitled' } as const);
  expect(await show(aProduct(), { access })).toMatchObject({ entitled: false });
});

test('a product omits a category or tag that the store lacks', async () => {
  const shown = await show(aProduct({ category_ids: [9], primary_category_id: 9, tag_ids: [9] }));
  expect(shown).toMatchObject({ primary_category: null, categories: [], tags: [] });
});
