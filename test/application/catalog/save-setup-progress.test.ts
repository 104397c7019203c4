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

test('setup steps are not saved until the permit of their request is granted', async () => {
  expect(await withoutPermit((permit) => shop.save([0], permit))).toBe(true);
  expect(await shop.kept()).toMatchObject({ completed_step_indexes: [] });
});
