import { type ApiKey, isLive, keysOfDevice } from '../../domain/access/api-key.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { auditEvent } from '../../domain/audit/event.ts';
import { productNamed } from '../../domain/catalog/catalog.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { liveLeases } from '../../domain/devices/lease.ts';
import {
  type Device,
  deviceOfLease,
  deviceView,
  liveHolds,
  NO_SLOTS,
  offlineUntil,
} from '../../domain/devices/seat.ts';
import { deviceProducts } from '../../domain/licensing/account-products.ts';
import {
  amendPolicy,
  isWithdrawn,
  type Revocation,
  withoutWithdrawn,
  withWithdrawn,
} from '../../domain/policy/client-policy.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { MOST_LIST_BYTES, type Stretch } from '../../domain/shared/paging.ts';
import { utf8Length } from '../../domain/shared/plain-text.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { EndApiKey } from '../access/api-keys.ts';
import { accountMissing } from '../accounts/accounts.ts';
import { productMissing } from '../catalog/shop-products.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import { tooLarge } from '../store-document/document-files.ts';
import { heldBy, type ReleaseSlots } from './slots.ts';

export type DevicesInput = {
  readonly account_id: number;
  /** The product's id or slug; null for every product. */
  readonly product: string | null;
  /** The maximum number of devices. */
  readonly limit: number;
  /** `next_after` of the previous page; null for the first page. */
  readonly after: string | null;
};

export type ListedDevices = {
  readonly product_id: number;
  readonly slug: string;
  /** The things that take the slots, `devices` if absent. The sessions of a floating license are listed as devices. */
  readonly slots?: Product['slots'];
  /** Null means no limit; 0 if the account's access to the product has ended. */
  readonly limit: number | null;
  readonly used: number;
  /** `withdrawn`: the client policy withdraws the device; its next license check frees the slot. */
  readonly devices: (ReturnType<typeof deviceView> & {
    readonly app_version: string | null;
    readonly offline_until: Instant | null;
    readonly withdrawn: boolean;
  })[];
};

/** The number of devices read concurrently. */
const AT_ONCE = 100;

/** The product and device in a cursor: the page continues after this device, or starts with the product. */
const placeIn = (after: string | null): readonly [product_id: number, device_id: string | null] => {
  const [, id = '0', device = null] = /^(\d+)(?: (.*))?$/s.exec(after ?? '') ?? [];
  return [Number(id), device];
};

type ListAccountDevicesPorts = Needs<'accounts' | 'catalogs' | 'clock' | 'devices' | 'licenses'>;

/** The devices of an account for the operator: by product, in the order of the catalog, page by page. */
export const listAccountDevices = ({ accounts, catalogs, licenses, devices, clock }: ListAccountDevicesPorts) =>
  async function listAccountDevices({
    account_id,
    product: named,
    limit,
    after,
  }: DevicesInput): Promise<Outcome<Stretch<ListedDevices>, 'account_not_found' | 'product_not_found'>> {
    const [account, { products, bundles, policy }] = await Promise.all([accounts.get(account_id), catalogs.current()]);
    if (!account) return accountMissing(account_id);
    const product = named === null ? undefined : productNamed({ products }, named);
    if (named !== null && !product) return productMissing(named);
    const [holdings, used] = await Promise.all([licenses.held(account_id), devices.used(account_id)]);
    const [first, behind] = placeIn(after);
    const selected = (product ? [product] : [...products.values()]).filter(({ id }) => id >= first);
    const data: ListedDevices[] = [];
    let [rows, bytes] = [0, 0];
    const now = clock.now();
    for (const one of deviceProducts(selected, bundles, holdings, used, now)) {
      const { product: owned, device_limit, used, held } = one;
      const { id, slug, slots } = owned;
      const listed: ListedDevices = {
        ...{ product_id: id, slug, ...(slots && { slots }) },
        ...{ limit: device_limit, used, devices: [] },
      };
      let next = id === first ? behind : null;
      do {
        if (rows >= limit || bytes > MOST_LIST_BYTES / 2) {
          return ok({ data, next_after: next === null ? String(id) : `${id} ${next}` });
        }
        const page = await devices.page(account_id, id, { limit: Math.min(limit - rows, AT_ONCE), after: next });
        const entries = [...(next === null ? held : []), ...page.devices].map((device) => ({
          ...deviceView(device),
          app_version: device.app_version ?? null,
          offline_until: offlineUntil(device, now),
          withdrawn: isWithdrawn(policy, { product_id: id, device_id: device.device_id }),
        }));
        if (listed.devices.length === 0) data.push(listed);
        listed.devices.push(...entries);
        rows += Math.max(1, entries.length);
        bytes += utf8Length(JSON.stringify(entries));
        next = page.next;
      } while (next !== null);
    }
    return ok({ data, next_after: null });
  };

export type ReleaseInput = {
  readonly account_id: number;
  /** The product's id or slug. */
  readonly product: string;
  readonly device_id: string;
  /** True also revokes the device's keys, so it can't take a slot again. */
  readonly revoke_keys: boolean;
  /** True frees the slot even while the device's offline file is valid, also for a device released before. */
  readonly offline_too: boolean;
  /** If true, returns the decision and writes nothing. */
  readonly trial?: boolean;
};

export type ReleasedDevice = {
  readonly product: Product;
  /** The device that holds or held the slot; null if it held none. */
  readonly device: Device | null;
  /** The time at which the offline file that still holds the slot expires; null if the slot is free. */
  readonly offline_until: Instant | null;
  /** The live keys with which the device can take a slot of the product. */
  readonly keys: readonly ApiKey[];
};

type NotReleased = 'account_not_found' | 'product_not_found' | 'device_not_found';

/**
 * Frees a device's slot for a product. A valid offline file keeps the slot, unless `offline_too` is true. The device's
 * keys stay, and may take a free slot again, unless they are revoked too; an account-wide key is then revoked for all
 * products. An interrupted call can be repeated.
 */
export const releaseAccountDevice = ({
  releaseSlots,
  endApiKey,
  accounts,
  catalogs,
  devices,
  apiKeys,
  clock,
}: Needs<'accounts' | 'apiKeys' | 'catalogs' | 'clock' | 'devices'> & {
  releaseSlots: ReleaseSlots;
  endApiKey: EndApiKey;
}) => {
  const find = async ({
    account_id,
    product: named,
    device_id,
    revoke_keys,
    offline_too,
  }: ReleaseInput): Promise<Outcome<ReleasedDevice, NotReleased>> => {
    const [account, catalog] = await Promise.all([accounts.get(account_id), catalogs.current()]);
    if (!account) return accountMissing(account_id);
    const product = productNamed(catalog, named);
    if (!product) return productMissing(named);
    const [found, used, scopes] = await Promise.all([
      devices.find(account_id, product.id, device_id),
      devices.used(account_id),
      apiKeys.scopes(account_id),
    ]);
    const now = clock.now();
    const { held, sessions = [] } = used.get(product.id) ?? NO_SLOTS;
    const holders = [...liveHolds(held, now), ...liveLeases(sessions, [], now).map(deviceOfLease)];
    const device = found.device ?? holders.find((one) => one.device_id === device_id) ?? null;
    const offline_until = device && !offline_too ? offlineUntil(device, now) : null;
    const keys = keysOfDevice(
      scopes.flatMap((scope) => scope.keys),
      product.id,
      device_id,
    ).filter((key) => isLive(key, now));
    if (device === null && !(revoke_keys && keys.length > 0)) {
      return refuse('device_not_found', {
        message: `Device ${device_id} of account ${account_id} holds no slot of ${product.slug}; "device list --account ${account_id}" shows those that do.`,
      });
    }
    return ok({ product, device, offline_until, keys });
  };

  return async function releaseAccountDevice(
    permit: Permit,
    input: ReleaseInput,
  ): Promise<Outcome<ReleasedDevice, NotReleased>> {
    const found = await find(input);
    if (!found.ok || input.trial) return found;
    const { product, keys } = found.value;
    const { account_id, device_id, revoke_keys, offline_too } = input;
    const release = () => releaseSlots.ofProduct(permit, account_id, product.id, device_id, offline_too);
    const done = async () => ok({ ...found.value, offline_until: heldBy(await release())?.offline_until ?? null });
    const released = await done();
    if (!revoke_keys) return released;
    for (const key of keys) await endApiKey(permit, key);
    // A license check with one of the keys may have taken the slot again before it was revoked.
    return done();
  };
};

export type WithdrawInput = {
  /** The account whose slot is freed at once; null if unknown. */
  readonly account_id: number | null;
  /** The product's id or slug. */
  readonly product: string;
  readonly device_id: string;
  /** A sentence only for the audit log. */
  readonly reason: string | null;
  /** If true, returns the decision and writes nothing. */
  readonly trial?: boolean;
};

export type WithdrawnDevice = Revocation & {
  readonly slug: string;
  /** `unchanged`: the policy already withdrew the device. */
  readonly result: 'withdrawn' | 'unchanged';
  /** The version of the policy that withdraws the device; in a trial, the current version. */
  readonly policy_version: number;
  /** True if a slot of the account was freed, or would be. */
  readonly released: boolean;
};

/**
 * Adds a device to the client policy's list, so it may not run a product in any account. Its slot becomes free: that of
 * `account_id` at once, any other with the next license check that needs it.
 */
export const withdrawDevice = ({
  releaseSlots,
  accounts,
  catalogs,
  devices,
  policies,
  clock,
  pauses,
}: Needs<'accounts' | 'catalogs' | 'clock' | 'devices' | 'pauses' | 'policies'> & { releaseSlots: ReleaseSlots }) => {
  const find = async ({ account_id, product: named, device_id }: WithdrawInput) => {
    const product = productNamed(await catalogs.current(), named);
    if (!product) return productMissing(named);
    if (account_id === null) return ok({ product, holdsSlot: false });
    if (!(await accounts.get(account_id))) return accountMissing(account_id);
    const { device, slots } = await devices.find(account_id, product.id, device_id);
    const holdsSlot = device !== undefined || slots.held.some((one) => one.device_id === device_id);
    return holdsSlot ? ok({ product, holdsSlot }) : missing(product, device_id, account_id);
  };

  /** A device without a slot is refused, unless it is already withdrawn: then this repeats an interrupted call. */
  const missing = async (product: Product, device_id: string, account_id: number) => {
    const { policy } = await policies.read();
    const known = withWithdrawn(policy, { product_id: product.id, device_id });
    if (known.ok && known.value === policy) return ok({ product, holdsSlot: false });
    return refuse('device_not_found', {
      message: `Device ${device_id} of account ${account_id} holds no slot of ${product.slug}; omit --account to withdraw it anyway.`,
    });
  };

  const withdraw = (permit: Permit, device: Revocation, { account_id, reason, trial }: WithdrawInput) =>
    untilWritten(pauses, async () => {
      const read = await policies.read();
      const changed = withWithdrawn(read.policy, device);
      if (!changed.ok) return changed;
      const [fault] = tooLarge('The client policy', changed.value);
      if (fault) return refuse('policy_is_full', { message: `${fault.path} ${fault.message}.` });
      const result = changed.value === read.policy ? ('unchanged' as const) : ('withdrawn' as const);
      if (trial || result === 'unchanged') return ok({ result, policy_version: read.policy.version });
      const policy = amendPolicy(read.policy, changed.value, clock.now());
      const subject = { kind: 'device', id: device.device_id, account_id, product_id: device.product_id } as const;
      const event = auditEvent(subject, 'withdrawn', undefined, reason === null ? undefined : { reason });
      return (await policies.save(permit, policy, read, [event]))
        ? ok({ result, policy_version: policy.version })
        : CONFLICT;
    });

  return async function withdrawDevice(
    permit: Permit,
    input: WithdrawInput,
  ): Promise<
    Outcome<WithdrawnDevice, 'account_not_found' | 'product_not_found' | 'device_not_found' | 'policy_is_full'>
  > {
    const found = await find(input);
    if (!found.ok) return found;
    const { product, holdsSlot } = found.value;
    const device: Revocation = { product_id: product.id, device_id: input.device_id };
    const set = await withdraw(permit, device, input);
    if (!set.ok) return set;
    const released =
      input.trial || input.account_id === null
        ? holdsSlot
        : (await releaseSlots.ofProduct(permit, input.account_id, product.id, input.device_id, true)) === 'released';
    return ok({ ...device, slug: product.slug, ...set.value, released });
  };
};

export type RestoredDevice = Revocation & { readonly slug: string; readonly policy_version: number };

type RestoreDevicePorts = Needs<'catalogs' | 'clock' | 'pauses' | 'policies'>;

/** Removes a device from the client policy's list, so it may run the product again and take a free slot. */
export const restoreDevice = ({ catalogs, policies, clock, pauses }: RestoreDevicePorts) =>
  async function restoreDevice(
    permit: Permit,
    { product: named, device_id }: { readonly product: string; readonly device_id: string },
  ): Promise<Outcome<RestoredDevice, 'product_not_found' | 'device_not_withdrawn'>> {
    const product = productNamed(await catalogs.current(), named);
    if (!product) return productMissing(named);
    const device: Revocation = { product_id: product.id, device_id };
    return untilWritten(pauses, async () => {
      const read = await policies.read();
      const changed = withoutWithdrawn(read.policy, device);
      if (changed === read.policy) {
        return refuse('device_not_withdrawn', {
          message: `The client policy does not withdraw device ${device_id} for ${product.slug}; "policy show --json" lists the devices that it withdraws.`,
        });
      }
      const policy = amendPolicy(read.policy, changed, clock.now());
      const event = auditEvent({ kind: 'device', id: device_id, product_id: product.id }, 'restored');
      const saved = await policies.save(permit, policy, read, [event]);
      return saved ? ok({ ...device, slug: product.slug, policy_version: policy.version }) : CONFLICT;
    });
  };
