import { expect, test } from 'vitest';
import { catalog } from '../../../runtimes/composition/areas/catalog.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { memoryEngines, SETTINGS, stock } from '../../support/memory-shop.ts';
import { aDisclosure } from '../../support/public-builders.ts';

const aShop = () => bootstrap(SETTINGS, memoryEngines(), [catalog]);

test('the disclosure of a business is shown as the operator entered it, in both languages', async () => {
  const service = aShop();
  await stock(service, { disclosure: aDisclosure() });
  expect(await service.get('showDisclosure').execute()).toEqual({ ok: true, value: aDisclosure() });
});

test('a business that entered no disclosure is answered with not found, not with empty fields', async () => {
  expect(await aShop().get('showDisclosure').execute()).toMatchObject({ ok: false, code: 'not_found' });
});
