import type { InstallRecord } from '../../domain/devices/install-record.ts';
import type { Installs } from '../../ports/outbound/devices.ts';

/** The newest installs of an account that are looked at. */
const READ = 200;

export type NewestInstall = Pick<InstallRecord, 'version' | 'installed_at'>;

/** The newest install of each product among the newest that the account's devices reported. */
export const newestInstalls = async (
  installs: Installs,
  accountId: number,
): Promise<ReadonlyMap<number, NewestInstall>> => {
  const newest = new Map<number, NewestInstall>();
  let read = 0;
  for await (const { product_id, version, installed_at } of installs.list(accountId)) {
    if (!newest.has(product_id)) newest.set(product_id, { version, installed_at });
    if (++read === READ) break;
  }
  return newest;
};
