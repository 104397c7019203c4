import type { Release } from '../delivery/release.ts';
import { isSameJson } from '../shared/same-json.ts';
import type { KeyUse } from '../signing/key-use.ts';
import type { Action, ActionOn, SubjectKind } from './actions.ts';

/** The maximum length of a field's value in an entry; longer texts are cut. */
export const VALUE_LENGTH = 200;

/** The maximum length of a subject's id in an entry. The longest is the URL of a client's metadata document. */
export const SUBJECT_LENGTH = 500;

/** The maximum number of changed fields in an entry. No record has that many. */
export const FIELDS_KEPT = 100;

export type Scalar = string | number | boolean | null;

/**
 * A changed field. `from` and `to` are absent if the log doesn't show values, and equal if the field only identifies
 * the record.
 */
export type FieldChange = { readonly field: string; readonly from?: Scalar; readonly to?: Scalar };

/**
 * The fields of each kind of record whose values the log shows; for any other field it shows only that it changed. So
 * entries contain no secrets, names or email addresses of buyers, and stay unchanged when an account is erased. The
 * actor may have an IP address (`by.from`). `all` is for records without personal data.
 */
const SHOWN = {
  account: ['created_at', 'suspended_at', 'merged_into', 'requests_per_minute'],
  key: ['product_id', 'prefix', 'expires_at', 'parent_id'],
  key_batch: 'all',
  passkey: [],
  agent_token: ['role', 'name'],
  member: ['role', 'name', 'added_at'],
  app: [],
  device: ['reason', 'offline_until'],
  device_sign_in: [],
  seat: ['role', 'invited_at'],
  entitlement: 'all',
  subscription: ['status', 'starts_at', 'ends_at', 'cancelled_at', 'grace_days', 'device_limit'],
  order: ['number', 'status', 'ordered_at', 'paid_at', 'currency', 'total_cents'],
  invoice: ['number', 'status', 'order_id'],
  payment_method: [],
  product: 'all',
  content: 'all',
  category: 'all',
  tag: 'all',
  bundle: 'all',
  lineage: 'all',
  disclosure: 'all',
  storefront: 'all',
  release: 'all',
  policy: 'all',
  taxonomy: 'all',
  signing_key: 'all',
  trial: 'all',
  ticket: ['status', 'kind'],
  document: 'all',
  run: ['status'],
  webhook: ['url'],
  store: 'all',
} as const satisfies Readonly<Record<SubjectKind, 'all' | readonly string[]>>;

export type Subject = {
  readonly kind: SubjectKind;
  readonly id: string | number;
  /** The account that the record belongs to; null for the shop's own records. */
  readonly account_id?: number | null;
  readonly product_id?: number | null;
};

/** A change in the audit log: `device.released` for device `laptop` of account 7. */
export type AuditEvent = {
  /** The kind of the record, a dot, and the past participle of the action. */
  readonly action: string;
  readonly subject_id: string;
  readonly account_id: number | null;
  readonly product_id: number | null;
  readonly changes: readonly FieldChange[];
};

const isScalar = (value: unknown): value is Scalar =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

const cut = (text: string, length: number): string => text.slice(0, length).toWellFormed();

/** The part of an address that is no secret: its path or query may have one. */
const originOf = (url: unknown): unknown =>
  typeof url === 'string' ? (/^https:\/\/[^/?#]*/.exec(url)?.[0] ?? '') : url;

const scalarOf = (value: unknown): Scalar | undefined => {
  if (value === undefined) return null;
  if (!isScalar(value)) return undefined;
  return typeof value === 'string' ? cut(value, VALUE_LENGTH) : value;
};

const isShown = (kind: SubjectKind, field: string): boolean => {
  const fields: 'all' | readonly string[] = SHOWN[kind];
  return fields === 'all' || fields.includes(field);
};

const fieldChange = (kind: SubjectKind, field: string, before: unknown, after: unknown): FieldChange => {
  const shown = kind === 'webhook' && field === 'url' ? originOf : (value: unknown) => value;
  const [from, to] = [scalarOf(shown(before)), scalarOf(shown(after))];
  return isShown(kind, field) && from !== undefined && to !== undefined ? { field, from, to } : { field };
};

/** The fields that differ between two states of a record; `undefined` means no record. */
export const fieldChanges = (
  kind: SubjectKind,
  before: object | undefined,
  after: object | undefined,
): FieldChange[] => {
  const [was, is]: Record<string, unknown>[] = [{ ...before }, { ...after }];
  return [...new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])]
    .filter((field) => !isSameJson(was?.[field] ?? null, is?.[field] ?? null))
    .slice(0, FIELDS_KEPT)
    .map((field) => fieldChange(kind, field, was?.[field], is?.[field]));
};

/** The event for an action (`released`, `revoked`) on a record, from its states `before` and `after`. */
export const auditEvent = (
  { kind, id, account_id = null, product_id = null }: Subject,
  done: Action,
  before?: object,
  after?: object,
): AuditEvent => ({
  action: `${kind}.${done}`,
  subject_id: cut(String(id), SUBJECT_LENGTH),
  account_id,
  product_id,
  changes: [...nameIn(kind, before, after), ...fieldChanges(kind, before, after)],
});

/** The number of a changed order, by which people know it. */
const nameIn = (kind: SubjectKind, before: object | undefined, after: object | undefined): FieldChange[] =>
  kind === 'order' && before && after ? [fieldChange(kind, 'number', numberOf(after), numberOf(after))] : [];

const numberOf = (record: { readonly number?: unknown }): unknown => record.number;

/** The event for a written record: `created` or `changed`. */
export const savedEvent = (subject: Subject, before: object | undefined, after: object): AuditEvent =>
  auditEvent(subject, before === undefined ? 'created' : 'changed', before, after);

/** The event for a signing key. It contains only the key's public id. */
export const signingKeyEvent = (use: KeyUse, kid: string, done: ActionOn<'signing_key'>): AuditEvent =>
  auditEvent({ kind: 'signing_key', id: kid }, done, undefined, { use });

/** The action on a release. Withdrawing and restoring take precedence over other changes. */
const doneTo = (before: Release | undefined, after: Release): ActionOn<'release'> => {
  if (before === undefined) return 'created';
  if (!isSameJson(before.withdrawn ?? null, after.withdrawn ?? null)) return after.withdrawn ? 'withdrawn' : 'restored';
  if (isSameJson({ ...before, channel: after.channel }, after)) return 'moved';
  if (isSameJson({ ...before, released_at: after.released_at }, after)) return 'scheduled';
  return 'changed';
};

/** The event for a written release. It starts with the version, which never changes. */
export const releaseEvent = (before: Release | undefined, after: Release): AuditEvent => {
  const { id, product_id, version } = after;
  const event = auditEvent({ kind: 'release', id, product_id }, doneTo(before, after), before, after);
  const others = event.changes.filter(({ field }) => field !== 'version');
  return { ...event, changes: [{ field: 'version', from: before?.version ?? null, to: version }, ...others] };
};
