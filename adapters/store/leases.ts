import { hash } from 'node:crypto';
import type { Permit } from '../../domain/access/permit.ts';
import { auditEvent } from '../../domain/audit/event.ts';
import { isFirstOfDay, type Lease } from '../../domain/devices/lease.ts';
import type { Leases, ReadLease } from '../../ports/outbound/leases.ts';
import { seenVersion } from './devices.ts';
import { expiryAt } from './expiry.ts';
import { deviceKeys } from './keys/devices.ts';
import { allItems, ifUnchanged, itemOf } from './records.ts';
import { Audited } from './repository.ts';

/** Each slot has an item, and no item counts them, so sessions that start at once seldom write the same one. */
export class StoredLeases extends Audited implements Leases {
  async of(account_id: number, product_id: number): Promise<readonly ReadLease[]> {
    const items = await Array.fromAsync(allItems(this.table, deviceKeys.leases(account_id, product_id)));
    return items.map(({ data, version }) => ({ ...data, version }));
  }

  async save(_permit: Permit, account_id: number, lease: Lease, before: ReadLease | undefined): Promise<boolean> {
    const key = deviceKeys.lease(account_id, lease.product_id, lease.slot);
    const put = itemOf(key, lease, expiryAt(lease.expires_at));
    const condition = ifUnchanged(before?.version ?? null);
    if (!isFirstOfDay(lease, before)) return this.table.put(put, condition);
    return this.table.transact([{ put, condition }, { put: seenVersion(account_id, lease.product_id, asSeen(lease)) }]);
  }

  async end(permit: Permit, account_id: number, lease: ReadLease, { untold = false } = {}): Promise<boolean> {
    const { product_id, slot, device_id, version } = lease;
    const remove = { remove: deviceKeys.lease(account_id, product_id, slot), condition: { version } };
    const subject = { kind: 'device', id: device_id, account_id, product_id } as const;
    return this.table.transact(untold ? [remove] : [remove, this.trail.entry(permit, auditEvent(subject, 'released'))]);
  }
}

/**
 * The machine of a session, as the versions in use count it. A license has 4,096 of them, because a session may name any
 * number of devices.
 */
const asSeen = ({ device_id, renewed_at, app_version }: Lease) => ({
  device_id: `session ${hash('sha256', device_id, 'hex').slice(0, 3)}`,
  last_seen_at: renewed_at,
  app_version,
});
