import { deviceKeys } from '../../adapters/store/keys/devices.ts';
import { chunksOf, itemOf } from '../../adapters/store/records.ts';
import type { NewItem, Table } from '../../adapters/store/table.ts';
import { MAX_BATCH } from '../../adapters/store/table-checks.ts';
import { EVERY_AREA } from '../../runtimes/composition/areas/all-areas.ts';
import { bootstrap } from '../../runtimes/composition/bootstrap.ts';
import { anAccount } from '../surface/buyers.ts';
import { OTHER, openShop } from '../surface/shop.ts';
import { aDevice } from './builders.ts';
import { meteredTable } from './gallery/metered-table.ts';
import { memoryEngines, SETTINGS } from './memory-engines.ts';

/** The id of a device of a fleet, in an order in which no store keeps ids. */
export const idOf = (n: number): string => `device-${(n * 7919) % 100_003}`;

const itemsOf = (account: number, count: number): NewItem[] => [
  itemOf(deviceKeys.slots(account, OTHER), { used: count }),
  ...Array.from({ length: count }, (_, n) =>
    itemOf(deviceKeys.device(account, OTHER, idOf(n)), aDevice({ device_id: idOf(n) })),
  ),
];

const fill = async (table: Table, account: number, count: number): Promise<void> => {
  for (const batch of chunksOf(itemsOf(account, count), MAX_BATCH)) await table.transact(batch.map((put) => ({ put })));
};

/** A shop with an account that has this many devices of a product without a limit. */
export const aFleet = async (engine: Table, count: number) => {
  const { table, measure } = meteredTable(engine);
  const service = bootstrap(SETTINGS, { ...memoryEngines(), table }, EVERY_AREA);
  await openShop(service);
  const account = await anAccount(service, { entitlements: [{ product_id: OTHER, device_limit: null }] });
  await fill(engine, account, count);
  return { service, account, measure };
};
