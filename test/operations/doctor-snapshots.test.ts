import { expect, test } from 'vitest';
import { catalogKeys } from '../../adapters/store/keys/catalog.ts';
import { deliveryKeys } from '../../adapters/store/keys/delivery.ts';
import { itemOf } from '../../adapters/store/records.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { aProduct, aRelease } from '../support/builders.ts';
import { aDoctoredStore, STOCKED } from '../support/doctored-store.ts';

type Doctored = Awaited<ReturnType<typeof aDoctoredStore>>;

const told = async ({ findings }: Doctored, how = {}): Promise<string[]> =>
  (await findings({}, how))
    .filter(({ check, message }) => check === 'snapshots' || message.includes('snapshot'))
    .map(({ kind, message }) => `${kind}: ${message}`);

const FINE = 'fine: The catalog and the public releases have a snapshot, from which each process starts.';

test('the doctor finds the snapshots of a store that an import filled', async () => {
  const store = await aDoctoredStore();
  await store.fill(STOCKED);
  expect(await told(store)).toEqual([FINE]);
});

test('the doctor says that a store of an older version has no snapshots, and a repair makes them', async () => {
  const store = await aDoctoredStore();
  await store.fill({});
  const release = aRelease();
  await store.put(itemOf(catalogKeys.record('product', 1), aProduct()));
  await store.put(itemOf(deliveryKeys.release(1, release.version), release));
  expect(await told(store)).toEqual([
    'next: There is no snapshot of the catalog and of the public releases, so that each process that starts reads every record; run: doctor --repair',
  ]);
  expect(await told(store, { repair: grantPermit() })).toEqual([
    'fine: A snapshot of the catalog was made, from which each process starts.',
    'fine: A snapshot of the public releases was made, from which each process starts.',
    FINE,
  ]);
  expect(await told(store)).toEqual([FINE]);
});
