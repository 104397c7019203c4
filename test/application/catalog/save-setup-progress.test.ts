import { beforeEach, expect, test } from 'vitest';
import { addDays } from '../../../domain/shared/instant.ts';
import { catalog } from '../../../runtimes/composition/areas/catalog.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { aProduct, NOW } from '../../support/builders.ts';
import { aClock } from '../../support/fakes.ts';
import { memoryEngines, SETTINGS } from '../../support/memory-engines.ts';
import { PERMIT, passed, withoutPermit } from '../../support/permits.ts';

const BUYER = 1;
const product = aProduct({ setup_steps: [{ en: 'Download' }, { en: 'Install', ko: '설치하기' }, { en: 'Run' }] });

const aShop = () => {
  const clock = aClock();
  const service = bootstrap(SETTINGS, memoryEngines(), [catalog], { clock });
  return {
    clock,
    save: (indexes: readonly number[] | undefined, permit = PERMIT) =>
      passed(
        service.get('saveSetupProgress')({ account_id: BUYER, product, completed_step_indexes: indexes, locale: 'ko' }),
        permit,
      ),
    kept: () => service.get('showSetupProgress')({ account_id: BUYER, product, locale: 'ko' }),
  };
};

let shop: ReturnType<typeof aShop>;
beforeEach(() => {
  shop = aShop();
});

test('saved setup steps replace the earlier ones, in order and without duplicates', async () => {
  await shop.save([0, 1]);
  const saved = await shop.save([2, 0, 2]);
  expect(saved).toMatchObject({ ok: true, value: { completed_step_indexes: [0, 2], progress_percent: 66 } });
  expect(saved).toEqual({ ok: true, value: await shop.kept() });
});

test('a saved setup has the texts of its steps in the requested language or, if missing, in the other', async () => {
  expect(await shop.save([1])).toMatchObject({ ok: true, value: { steps: ['Download', '설치하기', 'Run'] } });
});

test('a setup is complete since its last step, even when it is saved again later', async () => {
  await shop.save([0, 1, 2]);
  shop.clock.at = addDays(NOW, 1);
  await shop.save([0, 1, 2]);
  expect(await shop.kept()).toMatchObject({ completed: true, completed_at: NOW });
});

test('a setup that loses a step and gains it again is complete since the second time', async () => {
  await shop.save([0, 1, 2]);
  await shop.save([0, 1]);
  expect(await shop.kept()).toMatchObject({ completed: false, completed_at: null });
  shop.clock.at = addDays(NOW, 1);
  await shop.save([0, 1, 2]);
  expect(await shop.kept()).toMatchObject({ completed_at: addDays(NOW, 1) });
});

test('saving no steps changes nothing, while saving an empty list restarts the setup', async () => {
  await shop.save([0, 1]);
  expect(await shop.save(undefined)).toMatchObject({ ok: true, value: { completed_step_indexes: [0, 1] } });
  expect(await shop.kept()).toMatchObject({ completed_step_indexes: [0, 1] });
  await shop.save([]);
  expect(await shop.kept()).toMatchObject({ completed_step_indexes: [] });
});

test.each([-1, 3, 0.5, Number.NaN])('the unknown setup step %d is refused by its position', async (index) => {
  await shop.save([1]);
  expect(await shop.save([0, index])).toMatchObject({
    ok: false,
    code: 'validation_failed',
    data: { errors: { 'completed_step_indexes.1': ['The step must be one of 0 to 2.'] } },
  });
  expect(await shop.kept()).toMatchObject({ completed_step_indexes: [1] });
});

test('setup steps are not saved until the permit of their request is granted', async () => {
  expect(await withoutPermit((permit) => shop.save([0], permit))).toBe(true);
  expect(await shop.kept()).toMatchObject({ completed_step_indexes: [] });
});
