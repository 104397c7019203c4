import { accountKeys } from '../../../adapters/store/keys/accounts.ts';
import { deviceKeys } from '../../../adapters/store/keys/devices.ts';
import { licensingKeys } from '../../../adapters/store/keys/licensing.ts';
import { itemOf } from '../../../adapters/store/records.ts';
import type { NewItem } from '../../../adapters/store/table.ts';
import { DAY_MS, toInstant } from '../../../domain/shared/instant.ts';
import { aDevice, anEntitlement } from '../../support/builders.ts';
import { SKILL, TOOL } from '../../surface/shop.ts';
import { writeItems } from './write-items.ts';

const FIRST_ACCOUNT = 1_000_000;

const dayOf = (n: number): string => toInstant(Date.UTC(2026, 0, 1) - n * DAY_MS).slice(0, 10);

const usageOf = (account: number, n: number): NewItem =>
  itemOf(deviceKeys.usage(account, TOOL, dayOf(n), 1), {
    product_id: TOOL,
    usage_date: dayOf(n),
    launches: 3,
    key_id: 1,
  });

/** The ten items of an account. */
const accountItems = (account_id: number): NewItem[] => {
  const email = `buyer-${account_id}@example.com`;
  const entitled = [TOOL, SKILL].map((product_id) =>
    itemOf(licensingKeys.entitlement(account_id, product_id, 1), anEntitlement({ account_id, product_id })),
  );
  const devices = ['laptop', 'desktop'].map((device_id) =>
    itemOf(deviceKeys.device(account_id, TOOL, device_id), aDevice({ device_id })),
  );
  return [
    itemOf(accountKeys.account(account_id), {
      id: account_id,
      email,
      name: 'Buyer',
      created_at: toInstant(0),
      password_hash: null,
    }),
    itemOf(accountKeys.byEmail(email), { account_id }),
    itemOf(accountKeys.listing(account_id), { account_id }),
    ...entitled,
    itemOf(deviceKeys.slots(account_id, TOOL), { used: devices.length }),
    ...devices,
    usageOf(account_id, 0),
    usageOf(account_id, 1),
  ];
};

/** Generates `count` items. A hundredth is usage of the owners in turn, and the rest is other accounts. */
function* itemsFor(count: number, owners: readonly number[]): Generator<NewItem> {
  const own = Math.floor(count / 100);
  for (let n = 0; n < own; n++) yield usageOf(owners[n % owners.length] as number, Math.floor(n / owners.length));
  for (let left = count - own, account = FIRST_ACCOUNT; left > 0; left -= 10, account++) {
    yield* accountItems(account).slice(0, left);
  }
}

/** Writes `count` items directly to the table. A hundredth of them is usage of the owners. */
export const fillTable = (tableName: string, count: number, owners: readonly number[]): Promise<void> =>
  writeItems(tableName, itemsFor(count, owners));
