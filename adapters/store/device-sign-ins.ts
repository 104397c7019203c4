import type { Permit } from '../../domain/access/permit.ts';
import { auditEvent } from '../../domain/audit/event.ts';
import type { DeviceSignIn } from '../../domain/sign-in/device-sign-in.ts';
import type { DeviceSignIns, ReadDeviceSignIn } from '../../ports/outbound/device-sign-ins.ts';
import type { Audited, AuditTrail } from './audit-trail.ts';
import { expiryAt } from './expiry.ts';
import { itemOf } from './item-of.ts';
import { signInKeys } from './keys/sign-in.ts';
import type { Table } from './table.ts';

const itemOfSignIn = (signIn: DeviceSignIn) =>
  itemOf(signInKeys.deviceSignIn(signIn.hash), signIn, expiryAt(signIn.expires_at));

/** A device sign-in has an item under the hash of its device code, and the hash of its user code leads to that. */
export class StoredDeviceSignIns implements DeviceSignIns {
  readonly #table: Table;
  readonly #trail: AuditTrail;

  constructor({ table, auditTrail }: Audited) {
    this.#table = table;
    this.#trail = auditTrail;
  }

  async find(hash: string): Promise<ReadDeviceSignIn | undefined> {
    const item = await this.#table.get(signInKeys.deviceSignIn(hash));
    return item && { ...item.data, version: item.version };
  }

  async findByUserCode(userCodeHash: string): Promise<ReadDeviceSignIn | undefined> {
    const pointer = await this.#table.get(signInKeys.userCode(userCodeHash));
    return pointer && this.find(pointer.data.hash);
  }

  add(signIn: DeviceSignIn): Promise<boolean> {
    const { hash, user_code_hash, expires_at } = signIn;
    return this.#table.transact([
      { put: itemOfSignIn(signIn), condition: { absent: true } },
      {
        put: itemOf(signInKeys.userCode(user_code_hash), { hash }, expiryAt(expires_at)),
        condition: { absent: true },
      },
    ]);
  }

  replace({ version }: ReadDeviceSignIn, signIn: DeviceSignIn): Promise<boolean> {
    return this.#table.put(itemOfSignIn(signIn), { version });
  }

  decide(permit: Permit, { version }: ReadDeviceSignIn, decided: DeviceSignIn): Promise<boolean> {
    const { device, account_id, state } = decided;
    const done = state === 'approved' ? 'approved' : 'denied';
    return this.#table.transact([
      { put: itemOfSignIn(decided), condition: { version } },
      this.#trail.entry(permit, auditEvent({ kind: 'device_sign_in', id: device.device_id, account_id }, done)),
    ]);
  }

  remove({ hash, user_code_hash, version }: ReadDeviceSignIn): Promise<boolean> {
    return this.#table.transact([
      { remove: signInKeys.deviceSignIn(hash), condition: { version } },
      { remove: signInKeys.userCode(user_code_hash) },
    ]);
  }
}
