import type { KeyDevice } from '../access/api-key.ts';
import type { ProductScope } from '../access/principal.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Platform } from '../catalog/platform.ts';
import type { Product, Ruling } from '../catalog/product.ts';
import type { Lease } from '../devices/lease.ts';
import { type Device, type Seat, seatMembers, sharedAt } from '../devices/seat.ts';
import type { ClientPolicy } from '../policy/client-policy.ts';
import { DAY_MS, HOUR_MS, type Instant, millis, toInstant } from '../shared/instant.ts';
import { inLocale, type Locale } from '../shared/locale.ts';
import { type Outcome, ok, type Refused, refuse } from '../shared/outcome.ts';
import {
  type Access,
  type AccessSource,
  beginsLater,
  hasEnded,
  judgeSight,
  noSuchProduct,
  targetProduct,
} from './access.ts';
import type { Labels } from './entitlement.ts';
import { type HeldTerms, NO_LICENSE_TERMS } from './terms.ts';

/*
 * The rules of a license check, in order: the question, who may know the answer, whether the product may run, the
 * answer, and how long an application may run offline on it. `access.ts` decides on access, and `devices/seat.ts` on
 * the slot of a new device.
 */

/** A license check's input. It names the product by its id, by its bundle id, or by both. */
export type LicenseQuestion = {
  readonly product_id: number | null;
  readonly bundle_id: string | null;
  readonly device_id: string | null;
  readonly app_version: string | null;
  /** The client's value for this check only, returned in the token. */
  readonly nonce?: string | null | undefined;
  /** The `continuation` of the device's last answer. */
  readonly continuation?: string | null | undefined;
  /** The machine's own name for itself. */
  readonly device_name?: string | null | undefined;
  readonly platform?: Platform | null | undefined;
  /** True for a client that accepts a token without an end. */
  readonly perpetual?: boolean | null | undefined;
};

const invalid = (field: string, sentence: string): Refused<'validation_failed'> =>
  refuse('validation_failed', { data: { errors: { [field]: [sentence] } } });

type CatalogAsked = Pick<Catalog, 'products' | 'productsByBundleId'>;

/** The id of the product that a question names; null for an unknown bundle id. */
const idAsked = (
  { productsByBundleId }: CatalogAsked,
  { product_id, bundle_id }: Pick<LicenseQuestion, 'product_id' | 'bundle_id'>,
): Outcome<number | null, 'validation_failed'> =>
  product_id === null && bundle_id === null
    ? invalid('product_id', 'The product id field is required when bundle id is not present.')
    : ok(product_id ?? productsByBundleId.get(bundle_id as string)?.id ?? null);

/** The product that a check names. A bound caller learns nothing about other products, not even whether they exist. */
export const productAsked = (
  catalog: CatalogAsked,
  scope: ProductScope,
  question: Pick<LicenseQuestion, 'product_id' | 'bundle_id'>,
): Outcome<Product, 'validation_failed' | 'product_api_key_scope_required' | 'not_found'> => {
  const asked = idAsked(catalog, question);
  return asked.ok ? targetProduct(catalog.products, scope, asked.value) : asked;
};

/** The product that a caller without an account names. A hidden one answers like one that does not exist. */
export const productAskedOpenly = (
  catalog: CatalogAsked,
  question: LicenseQuestion,
): Outcome<Product, 'validation_failed' | 'not_found'> => {
  const asked = idAsked(catalog, question);
  if (!asked.ok) return asked;
  const product = catalog.products.get(asked.value ?? 0);
  if (!product) return noSuchProduct();
  const judged = judgeQuestion(product, { granted: false, reason: 'not_entitled' }, question);
  return judged.ok ? ok(product) : judged;
};

/** The device of a check: the one that it names, else the one that the caller signed in on. */
export const deviceAsked = ({ device_id }: LicenseQuestion, signedInOn: KeyDevice | null): string | null =>
  device_id ?? signedInOn?.device_id ?? null;

/** The effective access: every license of a suspended account counts as revoked. */
export const accessInForce = (held: Access, suspended: boolean): Access =>
  held.granted && suspended ? { granted: false, reason: 'entitlement_revoked' } : held;

/**
 * Whether the account may get an answer: a hidden product needs present or past access, and if id and bundle id were
 * sent, both must match.
 */
export const judgeQuestion = (
  product: Product,
  access: Access,
  { product_id, bundle_id }: LicenseQuestion,
): Outcome<Access, 'validation_failed' | 'not_found'> => {
  const judged = judgeSight(product, access);
  if (!judged.ok) return judged;
  return product_id !== null && bundle_id !== null && bundle_id !== product.bundle_id
    ? invalid('bundle_id', 'The bundle id field names another product than the product id field.')
    : judged;
};

export type RevokedDevices = ClientPolicy['revoked'];

/** The devices that the client policy revokes for a product. Their slots are free for other devices. */
export const withdrawnDevices = (product_id: number, revoked: RevokedDevices): string[] =>
  revoked.flatMap((one) => (one.product_id === product_id ? [one.device_id] : []));

/** True if the client policy or the owner has revoked the device. */
export const isDeviceRevoked = (
  product_id: number,
  device_id: string | null,
  device: Device | undefined,
  revoked: RevokedDevices,
): boolean =>
  device_id !== null && (device?.revoked_at != null || withdrawnDevices(product_id, revoked).includes(device_id));

export type LicenseCode =
  | 'valid'
  | 'not_entitled'
  | 'access_expired'
  | 'entitlement_revoked'
  | 'device_revoked'
  | 'device_shared';

/**
 * The authoritative answer to a license check. Missing access takes precedence over a revoked device, and that over a
 * shared one.
 */
export type LicenseDecision = HeldTerms & {
  readonly valid: boolean;
  readonly code: LicenseCode;
  readonly message: string;
  readonly access_source: AccessSource | null;
  readonly access_expires_at: Instant | null;
  readonly updates_supported_until: Instant | null;
};

/** A decision on a license, or on a trial (`trial.ts`). */
export type Decision = Omit<LicenseDecision, 'code' | 'access_source'> & {
  readonly code: string;
  readonly access_source: string | null;
};

/** True for a device that two machines are known to use, of a product that refuses it. */
export const isSharedDeviceRefused = (
  { shared_devices }: Pick<Product, 'shared_devices'>,
  device: Device | undefined,
): boolean => shared_devices === 'refused' && device !== undefined && sharedAt(device) !== null;

/** Decides on a license. If access has expired, `access_expires_at` is its end. */
export const decideLicense = (
  access: Access,
  deviceRevoked: boolean,
  locale: Locale,
  sharedRefused = false,
): LicenseDecision => {
  const refusal = deviceRevoked ? 'device_revoked' : sharedRefused ? 'device_shared' : 'valid';
  const code: LicenseCode = access.granted ? refusal : access.reason;
  const { edition, features, metadata } = access.granted ? access : NO_LICENSE_TERMS;
  const ended_at = !access.granted && access.reason === 'access_expired' ? access.ended_at : null;
  return {
    valid: code === 'valid',
    code,
    message: messageOf(access, refusal, locale),
    access_source: access.granted ? access.access_source : null,
    access_expires_at: access.granted ? access.access_expires_at : ended_at,
    updates_supported_until: access.granted ? access.updates_supported_until : null,
    edition,
    features,
    metadata,
  };
};

/** A buyer whose access begins later learns so, and is not asked to buy or renew. */
const messageOf = (access: Access, ofDevice: 'valid' | 'device_revoked' | 'device_shared', locale: Locale): string => {
  if (access.granted) return MESSAGES[ofDevice][locale];
  if (access.begins_at !== undefined) return beginsLater(access.begins_at, locale);
  return access.reason === 'access_expired' ? hasEnded(access.ended_at, locale) : MESSAGES[access.reason][locale];
};

const MESSAGES: Labels<Exclude<LicenseCode, 'access_expired'>> = {
  valid: { en: 'This license is valid.', ko: '라이선스가 유효합니다.' },
  not_entitled: {
    en: 'This account does not own this product; buy it to use it.',
    ko: '이 계정에는 이 제품이 없습니다. 사용하시려면 구매해 주세요.',
  },
  entitlement_revoked: {
    en: 'Your license for this product was revoked; contact the store.',
    ko: '이 제품의 라이선스가 회수되었습니다. 스토어에 문의해 주세요.',
  },
  device_revoked: {
    en: 'The store has blocked this device for this product; use another device, or contact the store.',
    ko: '판매자가 이 기기에서 이 제품을 쓰지 못하게 했습니다. 다른 기기를 사용하시거나 스토어에 문의해 주세요.',
  },
  device_shared: {
    en: 'Two machines use one activation of this license. Activate it again with your key on each of them; if no device is free, release this one on your account page.',
    ko: '두 대의 기기가 하나의 활성화를 함께 쓰고 있습니다. 각 기기에서 라이선스 키로 다시 활성화해 주세요. 등록할 수 있는 기기가 없으면 계정 페이지에서 이 기기를 해제해 주세요.',
  },
};

/** The message about a device that the client policy or the owner has revoked. */
export const deviceIsRevoked = (locale: Locale): string => MESSAGES.device_revoked[locale];

export type CheckedLicense<D extends Decision = LicenseDecision> = {
  readonly decision: D;
  readonly product: Product;
  readonly access: Access;
  readonly seat: Seat;
  /** Whether the update window covers the client's version (`isVersionCovered`); null without access. */
  readonly versionCovered: boolean | null;
  /** True if a release of the client's version is out, or was (`isReleased`). */
  readonly versionReleased?: boolean;
  readonly manageUrl: string;
  readonly locale: Locale;
  readonly now: Instant;
};

/** The answer to a license check, without its token. It shows the device only if the license is valid. */
export const licenseView = <D extends Decision>(checked: CheckedLicense<D>) => {
  const { decision, product, access, seat, versionCovered, versionReleased, manageUrl, locale, now } = checked;
  const isStopped = product.uncovered_versions === 'refused' && versionCovered === false && versionReleased;
  const limit = access.granted ? access.device_limit : product.device_limit;
  return {
    ...decision,
    product: { id: product.id, name: inLocale(product.name, locale) ?? '', bundle_id: product.bundle_id },
    version_covered: versionCovered,
    uncovered_versions: isStopped ? ('refused' as const) : ('allowed' as const),
    ...seatMembers((decision.valid && seat.device) || null, seat.used, limit, manageUrl),
    devices: { used: seat.used, limit },
    continuation: (decision.valid && seat.continuation) || null,
    checked_at: now,
  };
};

/** The part of an answer that goes into its token. */
export type LicenseAnswer = Omit<Decision, keyof HeldTerms> &
  Partial<HeldTerms> &
  Pick<ReturnType<typeof licenseView>, 'version_covered' | 'checked_at'> & {
    readonly product: { readonly id: number; readonly bundle_id: string | null };
    readonly device: { readonly device_id: string } | null;
    /** The client's nonce, which proves that the token answers this check. */
    readonly nonce?: string | null | undefined;
    /** `refused` stops a version that the update window does not cover. */
    readonly uncovered_versions?: Ruling | undefined;
  };

/** Days for which a machine that is never online can run with one file. */
export const OFFLINE_DAYS = 365;

/** The end of a perpetual token. */
export const FOR_EVER: Instant = '9999-01-01T00:00:00.000Z';
const FOR_EVER_MS = millis(FOR_EVER);

/** Clients that do not ask for perpetual tokens refuse one of more days. */
const LONGEST_DAYS = 400;

/** The days that a token of a product is valid offline; null for ever, if the client accepts that (`perpetual`). */
export const tokenTtl = (
  { ttl_days }: Pick<Product, 'ttl_days'>,
  policy: ClientPolicy,
  { perpetual }: Pick<LicenseQuestion, 'perpetual'>,
) => ({
  ttl_days:
    ttl_days === null && perpetual !== true ? LONGEST_DAYS : ttl_days === undefined ? policy.ttl_days : ttl_days,
});

const seconds = (moment: number): number => Math.floor(moment / 1000);

/** The beginning of the hour, so the same decision gives the same token within the hour. */
const hourOf = (checked: Instant): number => Math.floor(millis(checked) / HOUR_MS) * HOUR_MS;

/** The time at which an offline file expires, in whole seconds: after `OFFLINE_DAYS`, or when its slot ends. */
export const offlineEnd = (slotEnds: Instant | null, checked: Instant): Instant => {
  const end = hourOf(checked) + OFFLINE_DAYS * DAY_MS;
  return toInstant(seconds(slotEnds === null ? end : Math.min(end, millis(slotEnds))) * 1000);
};

export const recheckAfter = ({ checked_at }: Pick<LicenseAnswer, 'checked_at'>, policy: ClientPolicy): Instant =>
  toInstant(millis(checked_at) + policy.recheck_hours * HOUR_MS);

/**
 * The claims of the token with which an application runs offline: a copy of a valid decision. It is valid until the
 * `ttl_days` of the product or the policy have passed since its `iat`, or its slot ends (`slotEnd`). With null
 * `ttl_days` only the latter ends it. A refusal has no token (null); neither has a decision without a device, because
 * such a token would work on every machine. An offline file's token is valid for `OFFLINE_DAYS` at least, or until its
 * slot ends. With a nonce, `iat` is the second of the check, otherwise the beginning of its hour.
 */
export const tokenClaims = (
  answer: LicenseAnswer,
  account_id: number,
  { ttl_days }: { readonly ttl_days: number | null },
  issuer: string,
  offline = false,
  slotEnds = answer.access_expires_at,
) => {
  if (!answer.valid || answer.device === null) return null;
  const { checked_at, nonce = null, uncovered_versions: uncovered, edition, features = [], metadata = {} } = answer;
  const issued = nonce === null ? hourOf(checked_at) : millis(checked_at);
  const end = Math.min(
    ttl_days === null ? FOR_EVER_MS : issued + ttl_days * DAY_MS,
    slotEnds === null ? FOR_EVER_MS : millis(slotEnds),
  );
  return {
    iss: issuer,
    sub: String(account_id),
    iat: seconds(issued),
    exp: seconds(offline && ttl_days !== null ? millis(offlineEnd(slotEnds, checked_at)) : end),
    valid: true,
    code: answer.code,
    product_id: answer.product.id,
    bundle_id: answer.product.bundle_id,
    device_id: answer.device.device_id,
    access_source: answer.access_source,
    access_expires_at: answer.access_expires_at,
    updates_supported_until: answer.updates_supported_until,
    version_covered: answer.version_covered,
    ...(uncovered === 'refused' && { uncovered_versions: uncovered }),
    ...(offline && { offline }),
    ...(ttl_days === null && { perpetual: true }),
    ...(edition && { edition }),
    ...(features.length > 0 && { features }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(nonce !== null && { nonce }),
  };
};

/** The claims of a session's token, which is valid until the end of its lease, or until its slot ends (`slotEnds`). */
export const leaseClaims = <C extends object>(
  claims: C,
  { lease_id, expires_at }: Pick<Lease, 'lease_id' | 'expires_at'>,
  slotEnds: Instant | null,
) => ({
  ...claims,
  exp: seconds(millis(slotEnds !== null && slotEnds < expires_at ? slotEnds : expires_at)),
  lease_id,
});
