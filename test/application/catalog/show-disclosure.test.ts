import { expect, test } from 'vitest';
import { catalog } from '../../../runtimes/composition/areas/catalog.ts';
import { aStore } from '../../support/memory-store.ts';

const aShop = () => aStore([catalog]);

test('a missing business disclosure is not found, rather than returned with empty fields', async () => {
  expect(await (await aShop()).get('showDisclosure')()).toMatchObject({ ok: false, code: 'not_found' });
});
