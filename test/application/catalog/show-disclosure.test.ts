import { expect, test } from 'vitest';
import { catalog } from '../../../runtimes/composition/areas/catalog.ts';
import { aStore } from '../../support/memory-store.ts';
import { aDisclosure } from '../../support/public-builders.ts';

const aShop = () => aStore([catalog]);

test('the disclosure of a business is shown as the operator entered it, in both languages', async () => {
  const service = await aShop();
  await service.put({ disclosure: aDisclosure() });
  expect(await service.get('showDisclosure')()).toEqual({ ok: true, value: aDisclosure() });
});

test('a missing business disclosure is not found, rather than returned with empty fields', async () => {
  expect(await (await aShop()).get('showDisclosure')()).toMatchObject({ ok: false, code: 'not_found' });
});
