import { expect, test } from 'vitest';
import { aProduct } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';
import { shopRecords } from '../../support/shop-records.ts';

const find = async (named: string) => {
  const products = [
    aProduct({ id: 1, slug: 'clock' }),
    aProduct({ id: 2, slug: '1' }),
    aProduct({ id: 3, slug: '77' }),
  ];
  const hidden = aProduct({ id: 4, slug: 'secret', published: false });
  const service = await aStore([shopRecords], { products: [...products, hidden] });
  return service.get('findProduct')(named);
};

test.each([
  ['its id', '1', 1],
  ['its slug', 'clock', 1],
  ['a slug of digits that is no id', '77', 3],
  ['its slug while it is unpublished', 'secret', 4],
])('an operator finds a product by %s', async (_, named, id) => {
  expect(await find(named)).toMatchObject({ ok: true, value: { id } });
});

test.each(['9', 'Clock', '01', '1.0', '-1', ''])('an operator finds no product by "%s"', async (named) => {
  expect(await find(named)).toEqual({
    ok: false,
    code: 'product_not_found',
    message: `There is no product ${named}.`,
  });
});
