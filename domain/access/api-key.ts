import type { Account, Allowance } from '../accounts/account.ts';
import type { Product } from '../catalog/product.ts';
import { countOf } from '../shared/count-of.ts';
import { addDays, hasPassed, type Instant, millis, toInstant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import {
  type Ability,
  DEVICE_KEY_ABILITIES,
  LICENSE_KEY_ABILITIES,
  PERSONAL_KEY_ABILITIES,
  productKeyAbilities,
} from './abilities.ts';
import { REPLAY_HOURS } from './replay.ts';

/** Days without use after which a device sign-in key ends (docs/running.md, Limits). */
export const DEVICE_KEY_IDLE_DAYS = 90;

export const KEY_KINDS = ['personal', 'device', 'license'] as const;

/** The device that a key was signed in on. The client sends the same `device_id` in license checks. */
export type KeyDevice = { readonly device_id: string; readonly name: string | null };

/** An account API key. Only the SHA-256 hash of its value is kept. The item that requests read has its account's allowance. */
export type ApiKey = Allowance & {
  readonly id: number;
  readonly account_id: number;
  /** SHA-256 of the whole value, lower-case hex. */
  readonly hash: string;
  /** The first 14 characters of the value. People tell keys apart by it. */
  readonly prefix: string;
  readonly name: string;
  /**
   * `personal`: created by a person; `device`: issued by device sign-in or bulk activation; `license`: handed out with a
   * product, for every device of the buyer.
   */
  readonly kind: (typeof KEY_KINDS)[number];
  readonly abilities: readonly Ability[];
  /** Null for an account-wide key, else the one product it is bound to. */
  readonly product_id: number | null;
  /** The client software that signed in, such as `cli`; device keys only. */
  readonly client: string | null;
  readonly device: KeyDevice | null;
  /** The device key whose bulk activation made this one. */
  readonly parent_id: number | null;
  /**
   * Hash that tells the request that made this key from others: of the parent and the Idempotency-Key of a bulk
   * activation, or of the message that has a license key. Absent without one.
   */
  readonly request_hash?: string | undefined;
  readonly created_at: Instant;
  readonly expires_at: Instant | null;
  /** The last recorded use. The key may have been used for less than an hour after it. */
  readonly last_used_at: Instant | null;
  readonly revoked_at: Instant | null;
  /** True on the item that requests read while the account is suspended. */
  readonly suspended?: boolean;
};

/** Milliseconds after a recorded use in which further uses of the key are not recorded. */
const UNRECORDED_MS = 3_600_000;

/**
 * The moment at which the key ends if nobody uses it again; null for never. A personal key ends at its expiry, and so
 * does a license key. A device key ends at its expiry or 90 days after its last use, whichever is earlier. Uses within
 * an hour of a recorded one are not recorded, so the 90 days begin an hour after that one: no key ends too early.
 */
export const keyEnd = (key: ApiKey): Instant | null => {
  if (key.kind !== 'device') return key.expires_at;
  const { last_used_at, created_at } = key;
  const used = last_used_at === null ? created_at : toInstant(millis(last_used_at) + UNRECORDED_MS);
  const idle = addDays(used, DEVICE_KEY_IDLE_DAYS);
  return key.expires_at !== null && key.expires_at < idle ? key.expires_at : idle;
};

export const isLive = (key: ApiKey, now: Instant): boolean => key.revoked_at === null && !hasPassed(keyEnd(key), now);

/** True where no use was recorded within the last hour. */
export const useIsUnrecorded = ({ last_used_at }: ApiKey, now: Instant): boolean =>
  last_used_at === null || millis(now) - millis(last_used_at) >= UNRECORDED_MS;

/**
 * Live keys per scope, unless the operator sets another number. Account-wide keys and the keys of each product are
 * separate scopes.
 */
export const LIVE_KEY_QUOTA = 3;

/** The highest number that the operator may set: the keys of a scope are one item, and change in one transaction. */
export const MOST_LIVE_KEYS = 30;

/** Every key of one account and scope, live or not. The scope is one product, or the whole account (null). */
export type ScopeKeys = {
  readonly account_id: number;
  readonly product_id: number | null;
  readonly keys: readonly ApiKey[];
};

/** Permission to add a key, with the keys to revoke in the same step. */
export type KeyAdmission = { readonly revoke: readonly ApiKey[] };

const lastUse = (key: ApiKey): Instant => key.last_used_at ?? key.created_at;

/**
 * Decides whether a scope takes one more key. A person's key needs a free slot. A device sign-in replaces the least
 * recently used device key of the client that `replaceOfClient` names where no slot is free. A sign-in without such a
 * key is refused too. License keys don't count.
 */
export const admitKey = (
  scope: ScopeKeys,
  quota: number,
  now: Instant,
  replaceOfClient: string | null = null,
): Outcome<KeyAdmission, 'key_limit_reached'> => {
  const live = scope.keys.filter((key) => key.kind !== 'license' && isLive(key, now));
  if (live.length < quota) return ok({ revoke: [] });
  const oldest = live
    .filter((key) => replaceOfClient !== null && key.kind === 'device' && key.client === replaceOfClient)
    .sort((a, b) => (lastUse(a) < lastUse(b) ? -1 : lastUse(a) > lastUse(b) ? 1 : a.id - b.id))[0];
  if (oldest) return ok({ revoke: [oldest] });
  const names = live.map(({ prefix, name }) => `${prefix}… (${name})`).join(', ');
  return refuse('key_limit_reached', {
    message: `This account already has ${countOf(live.length, 'live key')} ${scope.product_id === null ? 'for the whole account' : `for product ${scope.product_id}`}: ${names}; revoke one first.`,
    data: { limit: quota },
  });
};

/** The key that somebody wants. */
export type KeyWish = {
  account_id: number;
  name: string;
  /** The kind's own abilities where left out. */
  abilities?: readonly Ability[];
  /** The one product that it is to be bound to. */
  product_id?: number | null;
  expires_at?: Instant | null;
  /**
   * Makes it a device sign-in key, which takes the slot of the least recently used one of its client if none is free.
   */
  device?: { client: string; device: KeyDevice };
  /** The moment at which a device asked for it; absent where it is now. */
  asked_at?: Instant;
};

/** The parts that every key has anew: its id, and the hash and prefix of its value. */
export type FreshKey = Pick<ApiKey, 'id' | 'hash' | 'prefix'>;

export type WishRefusal = 'account_not_found' | 'product_not_found' | 'expiry_has_passed';

/**
 * Whether a key can be what is wanted: for an account and a product that exist, and with an end that is to come. A wish
 * from before all ways into the account ended is refused, although a thief may have approved it.
 */
export const judgeKeyWish = (
  { account_id, product_id = null, expires_at = null, asked_at }: KeyWish,
  account: Account | undefined,
  products: ReadonlyMap<number, Product>,
  now: Instant,
): Outcome<null, WishRefusal> => {
  if (!account) return refuse('account_not_found', { message: `There is no account ${account_id}.` });
  if (asked_at !== undefined && account.ways_in_ended && asked_at <= account.ways_in_ended.at) {
    return refuse('account_not_found', { message: `All ways into account ${account_id} have ended meanwhile.` });
  }
  if (product_id !== null && !products.has(product_id)) {
    return refuse('product_not_found', { message: `There is no product ${product_id}.` });
  }
  if (expires_at !== null && expires_at <= now) {
    return refuse('expiry_has_passed', { message: `The expiry ${expires_at} has passed; name a later one.` });
  }
  return ok(null);
};

export const newKey = (wish: KeyWish, fresh: FreshKey, now: Instant): ApiKey => {
  const { account_id, name, abilities, product_id = null, expires_at = null, device } = wish;
  return {
    ...fresh,
    account_id,
    name,
    kind: device ? 'device' : 'personal',
    abilities: abilities ?? (device ? DEVICE_KEY_ABILITIES : PERSONAL_KEY_ABILITIES),
    product_id,
    client: device?.client ?? null,
    device: device?.device ?? null,
    parent_id: null,
    created_at: now,
    expires_at,
    last_used_at: null,
    revoked_at: null,
  };
};

/**
 * The key of one product that bulk activation makes for the device of its parent. It can do no more than its parent,
 * and never outlives the expiry that was set for that.
 */
export const productKey = (
  parent: ApiKey,
  { id: product_id, slug }: Pick<Product, 'id' | 'slug'>,
  fresh: FreshKey & Pick<ApiKey, 'request_hash'>,
  now: Instant,
): ApiKey => ({
  ...fresh,
  account_id: parent.account_id,
  name: `${slug} on ${parent.device?.name ?? parent.name}`,
  kind: 'device',
  abilities: productKeyAbilities(parent.abilities),
  product_id,
  client: parent.client,
  device: parent.device,
  parent_id: parent.id,
  created_at: now,
  expires_at: parent.expires_at,
  last_used_at: null,
  revoked_at: null,
});

/** The keys that one key's bulk activation made. */
export const childrenOf = (keys: readonly ApiKey[], { id }: Pick<ApiKey, 'id'>): ApiKey[] =>
  keys.filter(({ parent_id }) => parent_id === id);

/** The live keys of the device that signed in with a key: those that its bulk activation made, and the key itself. */
export const deviceKeys = (keys: readonly ApiKey[], { id }: Pick<ApiKey, 'id'>, now: Instant): ApiKey[] =>
  keys.filter((key) => isLive(key, now) && (key.parent_id === id || key.id === id));

/** The keys that were signed in on a device and reach a product: those of the product, and those of the account. */
export const keysOfDevice = (keys: readonly ApiKey[], product_id: number, device_id: string): ApiKey[] =>
  keys.filter(
    (key) => key.device?.device_id === device_id && (key.product_id === null || key.product_id === product_id),
  );

export type ActivationCall = {
  /** The moment at which the call began. */
  readonly begun_at: Instant;
  /** Hash of the parent key and the call's Idempotency-Key; null where the call has none. */
  readonly request_hash: string | null;
};

/**
 * Milliseconds between which the repetition of a call without an Idempotency-Key counts as such. Sooner it may be
 * another call at the same time, whose answer is on its way. Later the client may have kept the key without using it.
 */
const REPEATED_FROM_MS = 5000;
const REPEATED_TO_MS = 10 * 60_000;

/** Milliseconds for which a call with the same Idempotency-Key counts as the same one. */
const SAME_REQUEST_MS = REPLAY_HOURS * 3_600_000;

/**
 * True for a product key whose value was lost with the answer that had it: the same device asks again, and nobody has
 * used the key. A key that was made since the call began belongs to another call at the same time.
 */
const isLost = (key: ApiKey, parent: Pick<ApiKey, 'id'>, { begun_at, request_hash }: ActivationCall): boolean => {
  const age = millis(begun_at) - millis(key.created_at);
  if (key.parent_id !== parent.id || key.last_used_at !== null || age <= 0) return false;
  const isRepeated = age >= REPEATED_FROM_MS && age <= REPEATED_TO_MS;
  return isRepeated || (request_hash !== null && key.request_hash === request_hash && age <= SAME_REQUEST_MS);
};

export type ActivationStep =
  | { readonly status: 'existing'; readonly key: ApiKey }
  /** `lost` are the keys to revoke in the same step. */
  | { readonly status: 'created'; readonly lost: readonly ApiKey[] }
  | { readonly status: 'key_limit_reached' };

/**
 * The decision of bulk activation about one product: a device that has a live key of it keeps that, else a key is made
 * where the product's scope has room. So a repeated call makes none twice. A key whose value was lost is made anew in
 * its own place.
 */
export const activationStep = (
  scope: ScopeKeys,
  parent: ApiKey,
  call: ActivationCall,
  quota: number,
  now: Instant,
): ActivationStep => {
  const own = deviceKeys(scope.keys, parent, now);
  const lost = own.filter((key) => isLost(key, parent, call));
  const kept = own.find((key) => !lost.includes(key));
  if (kept) return { status: 'existing', key: kept };
  const others = { ...scope, keys: scope.keys.filter((key) => !lost.includes(key)) };
  return admitKey(others, quota, now).ok ? { status: 'created', lost } : { status: 'key_limit_reached' };
};

/** The live license keys of an account and a product. Earlier systems may have made several. */
export const licenseKeys = ({ keys }: Pick<ScopeKeys, 'keys'>, now: Instant): ApiKey[] =>
  keys.filter((key) => key.kind === 'license' && isLive(key, now));

export type LicenseKeyStep =
  | { readonly status: 'existing'; readonly key: ApiKey }
  /** `replaced` are the keys to revoke in the same step. */
  | { readonly status: 'created'; readonly replaced: readonly ApiKey[] };

/**
 * Decides whether a license key is made. A buyer who asks for one gets it, and the keys before it end. A message makes
 * one only where there is none. A key that the same message made before was perhaps never sent: while nobody has used
 * it, it is made anew. `requestHash` names the message; null is the buyer.
 */
export const licenseKeyStep = (scope: ScopeKeys, requestHash: string | null, now: Instant): LicenseKeyStep => {
  const live = licenseKeys(scope, now);
  const key = live.find((one) => one.request_hash !== requestHash || one.last_used_at !== null);
  return requestHash !== null && key ? { status: 'existing', key } : { status: 'created', replaced: live };
};

/** A license key as it is made now. It has no end of its own: the license decides. */
export const newLicenseKey = (
  { account_id, product_id }: Pick<ScopeKeys, 'account_id' | 'product_id'>,
  fresh: FreshKey & Pick<ApiKey, 'name' | 'request_hash'>,
  now: Instant,
): ApiKey => ({
  ...fresh,
  account_id,
  kind: 'license',
  abilities: LICENSE_KEY_ABILITIES,
  product_id,
  client: null,
  device: null,
  parent_id: null,
  created_at: now,
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
});
