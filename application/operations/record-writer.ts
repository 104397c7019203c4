import type { Permit } from '../../domain/access/permit.ts';
import { auditEvent } from '../../domain/audit/event.ts';
import type { OwnedKind } from '../../domain/operations/record-owner.ts';
import type { AccountEntry, ProductEntry, SubscriptionEntry } from '../../domain/operations/store-document.ts';
import { amendPolicy, type PolicyInForce, type PolicyWish } from '../../domain/policy/client-policy.ts';
import { liftedDevices, stepTowards } from '../../domain/policy/withdrawn-device.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import type { Accounts, Passwords } from '../../ports/outbound/accounts.ts';
import type { BillingRecords, Orders } from '../../ports/outbound/billing.ts';
import type { CatalogEditor } from '../../ports/outbound/catalogs.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Grants } from '../../ports/outbound/licenses.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import type { Policies } from '../../ports/outbound/policies.ts';
import type { SavedRecord } from '../../ports/outbound/record-owners.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import { ChangedMeanwhile } from './changed-meanwhile.ts';
import type { FoundFiles } from './found-files.ts';
import { type Saved, withContent } from './import-counts.ts';
import { productRecords } from './record-faults.ts';

export type Ports = {
  catalogEditor: CatalogEditor;
  accounts: Accounts;
  passwords: Passwords;
  grants: Grants;
  /** The built-in store's own, because an import writes there. */
  storedOrders: Orders;
  billingRecords: BillingRecords;
  policies: Policies;
  clock: Clock;
  pauses: Pauses;
};

/** Throws ChangedMeanwhile where another import gave the id or the number to another record since the check. */
const unlessTaken = async (
  kind: OwnedKind,
  { id, number }: { readonly id: number; readonly number: string },
  saving: Promise<SavedRecord>,
): Promise<Saved> => {
  const saved = await saving;
  if (saved !== 'taken') return saved;
  throw new ChangedMeanwhile(
    `Another import has given the id ${id} or the number ${number} to another ${kind} meanwhile; run the import again.`,
  );
};

/** Writes checked entries. An entry that equals the stored one is left alone. */
export class RecordWriter {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Writes the content first, so that a stored product has its files. */
  async product(permit: Permit, entry: ProductEntry, found: FoundFiles): Promise<Saved> {
    const { product, content } = productRecords(entry, found);
    const savedContent = await this.#ports.catalogEditor.save(permit, { kind: 'content', value: content });
    return withContent(await this.#ports.catalogEditor.save(permit, { kind: 'product', value: product }), savedContent);
  }

  /**
   * Saves a changed policy as the next version, with an audit entry for each device that it lifts. A change that lifts
   * more devices than one transaction holds makes several versions.
   */
  async policy(permit: Permit, wish: PolicyWish): Promise<{ readonly policy: PolicyInForce; readonly result: Saved }> {
    const { policies, clock, pauses } = this.#ports;
    const { isWhole, ...saved } = await untilWritten(pauses, async () => {
      const read = await policies.read();
      const step = stepTowards(read.policy, wish);
      const policy = amendPolicy(read.policy, step, clock.now());
      const isWhole = step === wish;
      if (policy === read.policy) return { policy, result: 'unchanged' as const, isWhole };
      const restored = liftedDevices(read.policy, step).map(({ device_id: id, product_id }) =>
        auditEvent({ kind: 'device', id, product_id }, 'restored'),
      );
      if (!(await policies.save(permit, policy, read, restored))) return CONFLICT;
      return { policy, result: read.token === null ? ('created' as const) : ('updated' as const), isWhole };
    });
    return isWhole ? saved : { ...(await this.policy(permit, wish)), result: 'updated' };
  }

  /**
   * Writes over the account as it was read, so that no password that it gets meanwhile is lost. An account that has a
   * password keeps it, because the buyer may have changed the one that the document gave it.
   */
  async account(permit: Permit, { password, password_hash: given, ...entry }: AccountEntry): Promise<Saved> {
    const { accounts, passwords, pauses } = this.#ports;
    const { id, email, name, created_at } = entry;
    let first: string | null | undefined;
    const saved = await untilWritten(pauses, async () => {
      const read = await accounts.get(id);
      const before = read?.password_hash ?? null;
      if (before === null && first === undefined) {
        first = password === null ? (given ?? null) : await passwords.hash(password);
      }
      // The hash takes a moment. The write finds a password that was set meanwhile, which then stays.
      const password_hash = before ?? first ?? null;
      // An account that is there is suspended and reinstated by the operator alone.
      const { suspended_at } = read ?? entry;
      const account = { id, email, name, created_at, password_hash, ...(suspended_at && { suspended_at }) };
      if (!read) return accounts.save(permit, account);
      if (isSameJson(read, account)) return 'unchanged';
      const written = await accounts.revise(permit, read, account);
      return written === 'changed' ? CONFLICT : written;
    });
    if (saved === 'email_taken') {
      throw new ChangedMeanwhile(`Another account has taken the address ${email}; run the import again.`);
    }
    if (saved === 'erased') {
      throw new ChangedMeanwhile(`Account ${id} was erased meanwhile; leave it out, and run the import again.`);
    }
    return saved;
  }

  entitlement(permit: Permit, accountId: number, entry: AccountEntry['entitlements'][number]): Promise<Saved> {
    return this.#ports.grants.saveEntitlement(permit, { ...entry, account_id: accountId });
  }

  /** Stores the order number too, so that listing subscriptions reads no orders. */
  async subscription(permit: Permit, account: AccountEntry, { billing, ...entry }: SubscriptionEntry): Promise<Saved> {
    const order_number = await this.#orderNumber(account, billing?.order_id ?? null);
    return this.#ports.grants.saveSubscription(permit, {
      ...entry,
      account_id: account.id,
      billing: billing && { ...billing, order_number },
    });
  }

  order(permit: Permit, accountId: number, entry: AccountEntry['orders'][number]): Promise<Saved> {
    return unlessTaken(
      'order',
      entry,
      this.#ports.billingRecords.saveOrder(permit, { ...entry, account_id: accountId }),
    );
  }

  invoice(permit: Permit, accountId: number, entry: AccountEntry['invoices'][number]): Promise<Saved> {
    return unlessTaken(
      'invoice',
      entry,
      this.#ports.billingRecords.saveInvoice(permit, { ...entry, account_id: accountId }),
    );
  }

  paymentMethod(permit: Permit, accountId: number, entry: AccountEntry['payment_methods'][number]): Promise<Saved> {
    return this.#ports.billingRecords.savePaymentMethod(permit, { ...entry, account_id: accountId });
  }

  async #orderNumber({ id, orders }: AccountEntry, orderId: number | null): Promise<string | null> {
    if (orderId === null) return null;
    const order = orders.find((one) => one.id === orderId) ?? (await this.#ports.storedOrders.find(id, orderId));
    if (!order) throw new ChangedMeanwhile(`Order ${orderId} of account ${id} is gone; run the import again.`);
    return order.number;
  }
}
