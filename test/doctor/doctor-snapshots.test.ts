import { expect, test } from 'vitest';
import { catalogKeys } from '../../adapters/store/keys/catalog.ts';
import { deliveryKeys } from '../../adapters/store/keys/delivery.ts';
import { itemOf } from '../../adapters/store/records.ts';
import { aProduct, aRelease } from '../support/builders.ts';
import { aDoctoredStore, STOCKED } from '../support/doctored-store.ts';

type Doctored = Awaited<ReturnType<typeof aDoctoredStore>>;

const told = async ({ findings }: Doctored): Promise<string[]> =>
  (await findings())
    .filter(({ check, message }) => check === 'snapshots' || message.includes('snapshot'))
    .map(({ kind, message }) => `${kind}: ${message}`);

const FINE = 'fine: The catalog and the public releases have a snapshot, from which each process starts.';

test('the doctor finds the snapshots of a store that an import filled', async () => {
  const store = await aDoctoredStore();
  await store.fill(STOCKED);
  expect(await told(store)).toEqual([FINE]);
});

test('the doctor says that a change without a snapshot left none, and that the next change creates it', async () => {
  const store = await aDoctoredStore();
  await store.fill({});
  const release = aRelease();
  await store.put(itemOf(catalogKeys.record('product', 1), aProduct()));
  await store.put(itemOf(deliveryKeys.release(1, release.version), release));
  expect(await told(store)).toEqual([
    'next: There is no snapshot of the catalog and of the public releases, so that each process that starts reads every record; the next change makes it',
  ]);
});
