import type { Account, Allowance } from '../accounts/account.ts';
import type { Product } from '../catalog/product.ts';
import { compareText } from '../shared/compare-text.ts';
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

/**
 * An account API key. Only the SHA-256 hash of its value is stored. The item that requests read includes its account's
 * own rate limit.
 */
export type ApiKey = Allowance & {
  readonly id: number;
  readonly account_id: number;
  /** SHA-256 of the whole value, lower-case hex. */
  readonly hash: string;
  /** The first 14 characters of the value, by which people recognize a key. */
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
  /** The client software that signed in, such as `cli`. Only device keys have one. */
  readonly client: string | null;
  readonly device: KeyDevice | null;
  /** The device key whose bulk activation created this one. */
  readonly parent_id: number | null;
  /**
   * Hash that identifies the request that created this key: of the parent and the Idempotency-Key of a bulk activation,
   * or of the message that contains a license key. Absent without one.
   */
  readonly request_hash?: string | undefined;
  /** Ids of older license keys that end with the first use of this one; absent if there are none. */
  readonly replaces?: readonly number[] | undefined;
  readonly created_at: Instant;
  readonly expires_at: Instant | null;
  /** The last recorded use. Uses within the next hour are not recorded. */
  readonly last_used_at: Instant | null;
  readonly revoked_at: Instant | null;
  /** True on the item that requests read while the account is suspended. */
  readonly suspended?: boolean;
};

/** Milliseconds after a recorded use during which further uses are not recorded. */
const UNRECORDED_MS = 3_600_000;

/**
 * The expiry of the key if it is not used again; null for never. Personal and license keys have only their own expiry.
 * A device key also expires 90 days after its last use. Uses within an hour of a recorded one are not recorded, so the
 * 90 days start an hour after it: no key expires too early.
 */
type Ending = Pick<ApiKey, 'kind' | 'expires_at' | 'last_used_at' | 'created_at'>;

export const keyEnd = (key: Ending): Instant | null => {
  if (key.kind !== 'device') return key.expires_at;
  const { last_used_at, created_at } = key;
  const used = last_used_at === null ? created_at : toInstant(millis(last_used_at) + UNRECORDED_MS);
  const idle = addDays(used, DEVICE_KEY_IDLE_DAYS);
  return key.expires_at !== null && key.expires_at < idle ? key.expires_at : idle;
};

export const isLive = (key: Ending & Pick<ApiKey, 'revoked_at'>, now: Instant): boolean =>
  key.revoked_at === null && !hasPassed(keyEnd(key), now);

/** True if no use was recorded within the last hour. */
export const useIsUnrecorded = ({ last_used_at }: ApiKey, now: Instant): boolean =>
  last_used_at === null || millis(now) - millis(last_used_at) >= UNRECORDED_MS;

/** The default maximum of live keys per scope. Account-wide keys and the keys of each product are separate scopes. */
export const LIVE_KEY_QUOTA = 3;

/** The maximum that the operator may set: a scope's keys are one item, and change in one transaction. */
export const MOST_LIVE_KEYS = 30;

/** Every key of one account and scope, live or not. The scope is a product, or the whole account (null). */
export type ScopeKeys = {
  readonly account_id: number;
  readonly product_id: number | null;
  readonly keys: readonly ApiKey[];
};

/** A decision to add a key, with the keys to revoke in the same step. */
export type KeyAdmission = { readonly revoke: readonly ApiKey[] };

const lastUse = (key: ApiKey): Instant => key.last_used_at ?? key.created_at;

/**
 * Decides whether a scope has room for another key. A personal key needs a free slot. If none is free, a device sign-in
 * replaces the least recently used device key of the client `replaceOfClient`, or is refused if there is none. License
 * keys don't count.
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
    .sort((a, b) => compareText(lastUse(a), lastUse(b)) || a.id - b.id)[0];
  if (oldest) return ok({ revoke: [oldest] });
  const names = live.map(({ prefix, name }) => `${prefix}… (${name})`).join(', ');
  return refuse('key_limit_reached', {
    message: `This account already has ${countOf(live.length, 'live key')} ${scope.product_id === null ? 'for the whole account' : `for product ${scope.product_id}`}: ${names}; revoke one first.`,
    data: { limit: quota },
  });
};

export type KeyInput = {
  account_id: number;
  name: string;
  /** Defaults to the abilities of the key's kind. */
  abilities?: readonly Ability[];
  /** Binds the key to this product. */
  product_id?: number | null;
  expires_at?: Instant | null;
  /** Creates a device sign-in key, which replaces the least recently used one of its client if no slot is free. */
  device?: { client: string; device: KeyDevice };
  /** The time at which the device requested it; defaults to now. */
  asked_at?: Instant;
};

/** The parts that are new in every key: its id, and the hash and prefix of its value. */
export type FreshKey = Pick<ApiKey, 'id' | 'hash' | 'prefix'>;

export type KeyInputRefusal = 'account_not_found' | 'product_not_found' | 'expiry_has_passed';

/**
 * Refuses a key for an account or product that doesn't exist, or with an expiry in the past. A request from before the
 * account was locked out is refused too, because a thief may have approved it.
 */
export const judgeKeyInput = (
  { account_id, product_id = null, expires_at = null, asked_at }: KeyInput,
  account: Account | undefined,
  products: ReadonlyMap<number, Product>,
  now: Instant,
): Outcome<null, KeyInputRefusal> => {
  if (!account) return refuse('account_not_found', { message: `There is no account ${account_id}.` });
  if (asked_at !== undefined && account.ways_in_ended && asked_at <= account.ways_in_ended.at) {
    return refuse('account_not_found', { message: `All ways into account ${account_id} have ended meanwhile.` });
  }
  if (product_id !== null && !products.has(product_id)) {
    return refuse('product_not_found', { message: `There is no product ${product_id}.` });
  }
  if (expires_at !== null && expires_at <= now) {
    return refuse('expiry_has_passed', { message: `The expiry ${expires_at} has passed; choose a later one.` });
  }
  return ok(null);
};

export const newKey = (input: KeyInput, fresh: FreshKey, now: Instant): ApiKey => {
  const { account_id, name, abilities, product_id = null, expires_at = null, device } = input;
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
 * The product key that bulk activation creates for its parent's device. It has no more abilities than its parent, and
 * expires no later.
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

/** The keys that one key's bulk activation created. */
export const childrenOf = (keys: readonly ApiKey[], { id }: Pick<ApiKey, 'id'>): ApiKey[] =>
  keys.filter(({ parent_id }) => parent_id === id);

/** The live keys of the device that signed in with a key: the key itself, and those from its bulk activation. */
export const deviceKeys = (keys: readonly ApiKey[], { id }: Pick<ApiKey, 'id'>, now: Instant): ApiKey[] =>
  keys.filter((key) => isLive(key, now) && (key.parent_id === id || key.id === id));

/** The device's keys that reach a product: those of the product, and those of the whole account. */
export const keysOfDevice = (keys: readonly ApiKey[], product_id: number, device_id: string): ApiKey[] =>
  keys.filter(
    (key) => key.device?.device_id === device_id && (key.product_id === null || key.product_id === product_id),
  );

export type ActivationCall = {
  readonly begun_at: Instant;
  /** Hash of the parent key and the call's Idempotency-Key; null if the call has none. */
  readonly request_hash: string | null;
};

/**
 * The range of milliseconds in which a repeated call without an Idempotency-Key counts as a retry. Earlier, it may be a
 * concurrent call whose answer is still on its way. Later, the client may have stored the key without using it.
 */
const REPEATED_FROM_MS = 5000;
const REPEATED_TO_MS = 10 * 60_000;

/** Milliseconds for which a call with the same Idempotency-Key counts as a retry. */
const SAME_REQUEST_MS = REPLAY_HOURS * 3_600_000;

/**
 * True for a product key whose value was lost with its answer: the same device asks again, and the key was never used.
 * A key created since the call began belongs to a concurrent call.
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
 * Decides for one product of a bulk activation: the device keeps a live key, or gets a new one if the product's scope
 * has room. So a repeated call creates no second key. A key whose value was lost is replaced.
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
  const remaining = own.find((key) => !lost.includes(key));
  if (remaining) return { status: 'existing', key: remaining };
  const others = { ...scope, keys: scope.keys.filter((key) => !lost.includes(key)) };
  return admitKey(others, quota, now).ok ? { status: 'created', lost } : { status: 'key_limit_reached' };
};

/** The live license keys of an account and a product. There may be several from an earlier system. */
export const licenseKeys = ({ keys }: Pick<ScopeKeys, 'keys'>, now: Instant): ApiKey[] =>
  keys.filter((key) => key.kind === 'license' && isLive(key, now));

export type LicenseKeyStep =
  | { readonly status: 'existing'; readonly key: ApiKey }
  /** `replaced` are the keys to revoke in the same step; `replaces` end with the first use of the new key. */
  | { readonly status: 'created'; readonly replaced: readonly ApiKey[]; readonly replaces: readonly number[] };

/**
 * Decides whether to create a license key. A buyer who asks for one gets it beside the old ones, which work until its
 * first use, so a lost key stops no device. A further request replaces an unused one, so at most one waits. A message
 * creates a key only if there is none. A key from an earlier attempt of the same message may never have been sent: if
 * it is unused, it is replaced. `requestHash` identifies the message; null is the buyer.
 */
export const licenseKeyStep = (scope: ScopeKeys, requestHash: string | null, now: Instant): LicenseKeyStep => {
  const isWaiting = ({ last_used_at, replaces, request_hash }: ApiKey): boolean =>
    last_used_at === null && (requestHash === null ? replaces !== undefined : request_hash === requestHash);
  const [replaced = [], kept = []] = [true, false].map((waits) =>
    licenseKeys(scope, now).filter((key) => isWaiting(key) === waits),
  );
  const [key] = kept;
  if (requestHash !== null && key) return { status: 'existing', key };
  return { status: 'created', replaced, replaces: kept.map(({ id }) => id) };
};

/** The keys that end with the first use of a license key. */
export const endedByUse = ({ keys }: Pick<ScopeKeys, 'keys'>, { replaces = [] }: Pick<ApiKey, 'replaces'>): ApiKey[] =>
  keys.filter((key) => key.revoked_at === null && replaces.includes(key.id));

/** A new license key. It doesn't expire by itself: the license decides. */
export const newLicenseKey = (
  { account_id, product_id }: Pick<ScopeKeys, 'account_id' | 'product_id'>,
  fresh: FreshKey & Pick<ApiKey, 'name' | 'request_hash' | 'replaces'>,
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
