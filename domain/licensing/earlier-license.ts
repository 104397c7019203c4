import { addressKey } from '../accounts/address.ts';
import { type Instant, laterEnd, momentIn } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import type { Entitlement } from './entitlement.ts';

/** A row of an earlier system's export: its texts by column name, and the line where it ends. */
export type EarlierRow = { readonly line: number; readonly fields: Readonly<Record<string, string>> };

export type EarlierLicense = {
  readonly line: number;
  readonly key: string;
  readonly email: string;
  readonly name: string | null;
  /** Devices of each unit; null means the product's limit. */
  readonly device_limit: number | null;
  readonly quantity: number;
  readonly begun_at: Instant | null;
  readonly ends_at: Instant | null;
  /** The time at which the updates end while the license continues; null for all updates. */
  readonly updates_until: Instant | null;
};

/** The thing that an expiry date in a row ends: the access, or only the `updates` of a perpetual license. */
export const EARLIER_ENDS = ['access', 'updates'] as const;
export type EarlierEnd = (typeof EARLIER_ENDS)[number];

/**
 * The columns to read. Gumroad's are from the source of its sales export; Lemon Squeezy and Keygen document no columns,
 * so theirs are the license attributes of their APIs. The first non-empty column counts.
 */
const COLUMNS = {
  key: ['License Key', 'key'],
  email: ['Giftee Email', 'Purchase Email', 'user_email', 'customer_email', 'owner_email', 'email'],
  name: ['Buyer Name', 'user_name', 'customer_name'],
  device_limit: ['activation_limit', 'maxMachines'],
  quantity: ['Quantity'],
  begun_at: ['Purchase Time (UTC timezone)', 'Purchase Date', 'created_at', 'created'],
  ends_at: ['Subscription End Date', 'expires_at', 'expiry'],
} as const;

/** Normalizes a column name: `License Key`, `license_key` and `licenseKey` are the same. */
const plain = (column: string): string => column.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The message about an export's columns: a required one is missing, or one occurs twice. Null if they are fine. */
export const columnFault = (columns: readonly string[]): string | null => {
  const plains = columns.map(plain);
  const missing = [COLUMNS.key, COLUMNS.email].filter((names) => !names.some((name) => plains.includes(plain(name))));
  if (missing.length > 0) return `has no column ${missing.map((names) => names.join(' or ')).join(', and ')}`;
  const twice = columns.find((_, n) => plains[n] !== '' && plains.indexOf(plains[n] ?? '') < n);
  return twice === undefined ? null : `has the column ${twice} twice`;
};

/** The maximum length of a key, a name and an address. */
export const LONGEST_TEXT = 255;

/** The number of characters of an earlier key that lists show. */
const SHOWN = 4;

/**
 * The minimum entropy (bits) of a key's hidden part, so that a copy of the store does not let anybody find the key from
 * its hash.
 */
const LEAST_BITS = 60;

export const shownOf = (key: string): string => key.slice(0, SHOWN);

/** True if a key can be guessed from its hash: too few characters, or too few different ones. */
export const isGuessable = (key: string): boolean => {
  const hidden = key.slice(SHOWN).replace(/[^0-9A-Za-z]/g, '');
  const isHex = /^([0-9a-f]*|[0-9A-F]*)$/.test(hidden);
  const sizes = [/\d/.test(hidden) ? 10 : 0, /[a-z]/.test(hidden) ? 26 : 0, /[A-Z]/.test(hidden) ? 26 : 0];
  const size = isHex && /[a-f]/i.test(hidden) ? 16 : sizes.reduce((all, one) => all + one, 0);
  return hidden.length * Math.log2(Math.max(1, size)) < LEAST_BITS || new Set(hidden).size < 6;
};

const YES = /^(1|true)$/i;
const NO = /^(0|false)$/i;
const TAKEN_BACK = ['Fully Refunded?', 'Access Revoked?', 'disabled', 'suspended'];

/**
 * The license of a row; null if the row has no key, or its license was refunded or disabled. A license starts at the
 * beginning of its first day and ends at the end of its last, in UTC. The expiry date ends what `ends` says; an
 * additional `updates_until` ends the updates.
 */
export const earlierLicense = (
  { line, fields }: EarlierRow,
  ends: EarlierEnd = 'access',
): Outcome<EarlierLicense | null, 'row_refused'> => {
  const texts = new Map(Object.entries(fields).map(([column, text]) => [plain(column), text.trim()]));
  const of = (...names: readonly string[]): string =>
    names.map((name) => texts.get(plain(name)) ?? '').find(Boolean) ?? '';
  const [key, status] = [of(...COLUMNS.key), of('status').toLowerCase()];
  const [begun, ended] = [of(...COLUMNS.begun_at), of(...COLUMNS.ends_at)];
  const [access, updates] = ends === 'access' ? [ended, of('updates_until')] : ['', of('updates_until') || ended];
  const isTakenBack =
    TAKEN_BACK.some((column) => YES.test(of(column))) ||
    NO.test(of('License Key Enabled?')) ||
    (YES.test(of('Disputed?')) && !YES.test(of('Dispute Won?'))) ||
    ['disabled', 'suspended', 'banned'].includes(status) ||
    // An ended subscription may lack a date.
    (status === 'expired' && ended === '');
  if (key === '' || isTakenBack) return ok(null);
  const [devices, units] = [of(...COLUMNS.device_limit), of(...COLUMNS.quantity)];
  const refused = (message: string) => refuse('row_refused', { message });
  const at = (text: string, part: 'beginning' | 'end') => (text === '' ? null : momentIn(text, part));
  const wrong = [begun, access, updates].find((text) => text !== '' && at(text, 'end') === null);
  if (wrong !== undefined)
    return refused(`has the date ${JSON.stringify(wrong)}; write it as 2027-01-31 or 2027-01-31T12:00:00Z.`);
  if (!/^\d{0,6}$/.test(devices + units)) return refused('has a number of devices or units that is no whole number.');
  const license = { line, key, email: of(...COLUMNS.email), name: of(...COLUMNS.name) || null };
  if ([key, license.email, license.name ?? ''].some(({ length }) => length > LONGEST_TEXT)) {
    return refused(`has a key, name or address of more than ${LONGEST_TEXT} characters.`);
  }
  const dates = { begun_at: at(begun, 'beginning'), ends_at: at(access, 'end'), updates_until: at(updates, 'end') };
  return ok({ ...license, ...dates, device_limit: Number(devices) || null, quantity: Number(units) || 1 });
};

/** The maximum number of licenses that are imported at once, because each takes several writes of the store. */
export const IMPORTED_AT_ONCE = 100;

/**
 * The licenses in parts that are imported one after the other. All licenses of a buyer are in one part, for one grant. A
 * key that occurs repeatedly, such as in the payments of a subscription, is taken once.
 */
export const importParts = (licenses: readonly EarlierLicense[], most = IMPORTED_AT_ONCE): EarlierLicense[][] => {
  const parts: EarlierLicense[][] = [];
  for (const all of Map.groupBy(licenses, ({ email }) => addressKey(email)).values()) {
    const own = [...new Map(all.map((one) => [one.key, one])).values()];
    const last = parts.at(-1);
    if (last && last.length + own.length <= most) last.push(...own);
    else for (let at = 0; at < own.length; at += most) parts.push(own.slice(at, at + most));
  }
  return parts;
};

/** One grant for all of a buyer's licenses, because of several grants only the widest would apply. */
export const earlierGrant = (
  licenses: readonly EarlierLicense[],
  now: Instant,
): Omit<Entitlement, 'id' | 'account_id' | 'product_id'> => {
  const limits = licenses.map(({ device_limit }) => device_limit ?? Number.POSITIVE_INFINITY);
  const most = Math.max(...limits);
  return {
    source_product_id: null,
    order_id: null,
    order_item_id: null,
    grant_type: 'grant',
    source_quantity: licenses.reduce((all, { quantity }) => all + quantity, 0),
    device_limit: Number.isFinite(most) ? most : null,
    granted_at: licenses.flatMap(({ begun_at }) => begun_at ?? []).sort()[0] ?? now,
    revoked_at: null,
    access_expires_at: licenses.map(({ ends_at }) => ends_at).reduce(laterEnd),
    updates_supported_until: licenses.map(({ updates_until }) => updates_until).reduce(laterEnd),
  };
};
