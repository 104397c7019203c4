import { type EntryPage, type ItemEntry, isCounter } from '../../../adapters/store/table-dump.ts';
import { ABILITIES } from '../../../domain/access/abilities.ts';
import { addDays, dayOf, type Instant } from '../../../domain/shared/instant.ts';
import { ENDPOINTS } from '../../../ports/inbound/endpoints.ts';
import { EVERY_AREA } from '../../../runtimes/composition/areas/everything.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { memoryEngines, SETTINGS } from '../../support/memory-engines.ts';
import { aKey, anAccount } from '../../surface/buyers.ts';
import { openShop, TOOL } from '../../surface/shop.ts';
import { ask } from './ask.ts';

/** Bytes that DynamoDB counts beside the names and values of an item, for the table itself. */
const ITEM_OVERHEAD = 100;
/** The names `pk`, `sk`, `version`, `data` and `ttl`, a version and an expiry. */
const ATTRIBUTES = 2 + 2 + 7 + 4 + 3 + 24 + 9;

export type Footprint = {
  /** Items and bytes of an account with one device. */
  readonly items: number;
  readonly bytes: number;
};

type Kept = { readonly bytes: number; readonly expiresAt: number | undefined };

const keptOf = ({ pk, sk, data, expires_at }: ItemEntry): Kept => ({
  bytes: Buffer.byteLength(pk + sk + JSON.stringify(data)) + ATTRIBUTES + ITEM_OVERHEAD,
  expiresAt: expires_at,
});

const START: Instant = '2026-01-01T09:00:00.000Z';
/** Days of use: longer than a month, so that what is kept by the month shows as such. */
const DAYS = 62;

/**
 * The items that the table keeps, once a device has been used daily for years, of an account with one purchase and one
 * device. A device is used for 62 days in memory; what those days left is taken to come as often later, and to go when
 * it expires. Counters are left out.
 */
export const measureFootprint = async (): Promise<Footprint> => {
  const engines = memoryEngines();
  let now = START;
  const service = bootstrap(SETTINGS, engines, EVERY_AREA, { clock: { now: () => now } });
  await openShop(service);
  const kept = async (): Promise<Map<string, Kept>> => {
    const found = new Map<string, Kept>();
    let page: EntryPage = { entries: [], next: '' };
    while (page.next !== undefined) {
      page = await engines.table.dump(0, page.next || undefined);
      for (const entry of page.entries)
        if (!isCounter(entry)) found.set(JSON.stringify([entry.pk, entry.sk]), keptOf(entry));
    }
    return found;
  };
  const shop = await kept();
  const account = await anAccount(service, { entitlements: [{ product_id: TOOL, device_limit: 3 }] });
  const { value: key } = await aKey(service, account, { abilities: ABILITIES, device: { device_id: 'a-device' } });
  const use = async (): Promise<void> => {
    const wish = { key, product: TOOL };
    const days = [{ product_id: TOOL, usage_date: dayOf(now), launches: 3, commands: { export: 4, sync: 2 } }];
    await ask(service, { ...wish, endpoint: ENDPOINTS.checkLicense });
    await ask(service, { ...wish, endpoint: ENDPOINTS.uploadUsage, body: { consent: true, days } });
  };
  await use();
  const first = await kept();
  for (let day = 1; day <= DAYS; day++) {
    now = addDays(START, day);
    await use();
    if (day % 30 === 0) await ask(service, { key, product: TOOL, endpoint: ENDPOINTS.recordInstall });
  }
  const end = Date.parse(now) / 1000;
  let [items, bytes] = [0, 0];
  for (const [at, { bytes: size, expiresAt }] of await kept()) {
    if (shop.has(at)) continue;
    const count = first.has(at) || expiresAt === undefined ? 1 : Math.max(1, (expiresAt - end) / 86_400) / DAYS;
    items += count;
    bytes += count * size;
  }
  return { items, bytes };
};
