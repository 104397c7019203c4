import { expect, test } from 'vitest';
import { catalog } from '../../../runtimes/composition/areas/catalog.ts';
import { aProduct, NOW } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';
import { passed } from '../../support/permits.ts';

const BUYER = 1;
const product = aProduct({ setup_steps: [{ en: 'Download' }, { en: 'Install' }, { en: 'Run' }] });

const aShop = () => aStore([catalog]);

test('a setup that was never begun has no step done', async () => {
  expect(await (await aShop()).get('showSetupProgress')({ account_id: BUYER, product, locale: 'en' })).toEqual({
    completed_step_indexes: [],
    completed_count: 0,
    total_count: 3,
    progress_percent: 0,
    completed: false,
    completed_at: null,
    steps: ['Download', 'Install', 'Run'],
  });
});

test('a product without setup steps is set up from the start', async () => {
  const shown = await (await aShop()).get('showSetupProgress')({
    account_id: BUYER,
    product: aProduct(),
    locale: 'en',
  });
  expect(shown).toMatchObject({ total_count: 0, progress_percent: 100, completed: true });
});

test('the setup of one account does not affect another account or product', async () => {
  const service = await aShop();
  await passed(
    service.get('saveSetupProgress')({ account_id: BUYER, product, completed_step_indexes: [0], locale: 'en' }),
  );
  const show = service.get('showSetupProgress');
  expect(await show({ account_id: BUYER, product, locale: 'en' })).toMatchObject({
    completed_step_indexes: [0],
  });
  expect(await show({ account_id: 2, product, locale: 'en' })).toMatchObject({ completed_count: 0 });
  expect(await show({ account_id: BUYER, product: { ...product, id: 2 }, locale: 'en' })).toMatchObject({
    completed_count: 0,
  });
});

test('a complete setup is incomplete again when the product gains a step, and loses the steps that the product loses', async () => {
  const service = await aShop();
  const show = (setup_steps: typeof product.setup_steps) =>
    service.get('showSetupProgress')({ account_id: BUYER, product: { ...product, setup_steps }, locale: 'en' });
  await passed(
    service.get('saveSetupProgress')({
      account_id: BUYER,
      product,
      completed_step_indexes: [0, 1, 2],
      locale: 'en',
    }),
  );
  const { setup_steps } = product;
  expect(await show(setup_steps)).toMatchObject({ completed: true, completed_at: NOW });
  expect(await show([...setup_steps, { en: 'Rate' }])).toMatchObject({
    progress_percent: 75,
    completed: false,
    completed_at: null,
  });
  expect(await show(setup_steps.slice(0, 2))).toMatchObject({ completed_step_indexes: [0, 1], completed: true });
});
