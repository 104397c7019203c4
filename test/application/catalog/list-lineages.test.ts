import { expect, test } from 'vitest';
import { catalog } from '../../../runtimes/composition/areas/catalog.ts';
import { aProduct } from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';
import { aLineage } from '../../support/public-builders.ts';

const list = async (all: Contents) => {
  const service = await aStore([catalog], all);
  return (await service.get('listLineages')({ locale: 'en' })).lineages;
};

test('a lineage counts only published products, and has no current product if none is published', async () => {
  const lineages = await list({
    products: [aProduct({ id: 1 }), aProduct({ id: 2, published: false })],
    lineages: [aLineage({ id: 1, product_ids: [1, 2] }), aLineage({ id: 2, product_ids: [2] })],
  });
  expect(lineages).toMatchObject([
    { product_count: 1, current_product: { id: 1 } },
    { product_count: 0, current_product: null },
  ]);
});
