import { randomUUID } from 'node:crypto';
import { billingKeys } from '../../adapters/store/keys/billing.ts';
import { itemOf } from '../../adapters/store/records.ts';
import { ABILITIES, type Ability } from '../../domain/access/abilities.ts';
import { type ApiKey, type KeyDevice, newLicenseKey } from '../../domain/access/api-key.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Invoice } from '../../domain/billing/invoice.ts';
import type { Order } from '../../domain/billing/order.ts';
import type { Entitlement } from '../../domain/licensing/entitlement.ts';
import type { Subscription } from '../../domain/licensing/subscription.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { anEntitlement, aSubscription } from '../support/builders.ts';
import { TOOL } from './shop.ts';

type Holding = { entitlements?: Partial<Entitlement>[]; subscriptions?: Partial<Subscription>[] };

let lastAccount = 1000;

const LONG_AGO = '2025-01-01T00:00:00.000Z';

/**
 * Creates an account with its entitlements and subscriptions. Each case creates its own, so that cases share no state.
 */
export const anAccount = async (
  service: Service,
  { entitlements = [], subscriptions = [] }: Holding = {},
): Promise<number> => {
  const id = ++lastAccount;
  await service.get('accounts').save(grantPermit(), {
    id,
    email: `buyer-${id}@example.com`,
    name: 'Buyer',
    created_at: LONG_AGO,
    password_hash: null,
  });
  for (const [n, one] of entitlements.entries()) await grant(service, id, { id: n + 1, ...one });
  for (const [n, one] of subscriptions.entries()) {
    await service.get('grants').saveSubscription(grantPermit(), aSubscription({ id: n + 1, account_id: id, ...one }));
  }
  return id;
};

/** Saves an entitlement of an account, or replaces the one with the same id and product. */
export const grant = async (service: Service, account_id: number, entitlement: Partial<Entitlement>): Promise<void> => {
  await service.get('grants').saveEntitlement(grantPermit(), anEntitlement({ account_id, ...entitlement }));
};

/** Stores an order without the check of its id, so that buyers of several cases can have orders with the same id. */
export const putOrder = (service: Service, order: Order): Promise<unknown> =>
  service.get('table').put(itemOf(billingKeys.order(order.account_id, order.id), order));

/** Stores an invoice as `putOrder` stores an order. */
export const putInvoice = (service: Service, invoice: Invoice): Promise<unknown> =>
  service.get('table').put(itemOf(billingKeys.invoice(invoice.account_id, invoice.id), invoice));

type KeyOptions = {
  abilities?: readonly Ability[];
  product_id?: number;
  expires_at?: Instant;
  device?: Partial<KeyDevice>;
};

export type MadeKey = { value: string; key: ApiKey };

/** Creates a key, by default with every ability. With a `device` it is a sign-in key with a device's abilities. */
export const aKey = async (service: Service, account_id: number, options: KeyOptions = {}): Promise<MadeKey> => {
  const { device, abilities = device ? undefined : ABILITIES, ...rest } = options;
  const signedIn = device && { client: 'cli', device: { device_id: randomUUID(), name: 'Laptop', ...device } };
  const created = await service.get('createApiKey')(grantPermit(), {
    account_id,
    name: 'case',
    ...(abilities && { abilities }),
    ...(signedIn && { device: signedIn }),
    ...rest,
  });
  if (!created.ok) throw new Error(created.message);
  return created.value;
};

/** Creates a license key of a product, and returns its value. */
export const aLicenseKey = async (service: Service, account_id: number, product_id: number): Promise<string> => {
  const scope = await service.get('apiKeys').scope(account_id, product_id);
  const { value, ...shown } = service.get('licenseKeySecrets').mint();
  const add = newLicenseKey(scope, { id: service.get('ids').next(), ...shown, name: 'License key' }, LONG_AGO);
  await service.get('apiKeys').change(grantPermit(), scope, { add }, LONG_AGO);
  return value;
};

export type Buyer = { readonly account: number; readonly key: string };

/** Creates an account with one entitlement, and a key with every ability. */
export const aBuyer = async (
  service: Service,
  entitlement: Partial<Entitlement> = {},
  options: KeyOptions = {},
): Promise<Buyer> => {
  const account = await anAccount(service, { entitlements: [{ product_id: TOOL, ...entitlement }] });
  return { account, key: (await aKey(service, account, options)).value };
};

/** Creates an account without entitlements, and a key with every ability. */
export const aStranger = async (service: Service): Promise<Buyer> => {
  const account = await anAccount(service);
  return { account, key: (await aKey(service, account)).value };
};
