import type { Actor } from '../access/actor.ts';
import { addDays, type Instant } from '../shared/instant.ts';
import type { AuditEvent } from './event.ts';

/** The default number of days for which the log stores an entry. */
export const AUDIT_DAYS = 365;

/** A line of the audit log: who did what to what, when, and from where. It is never changed. */
export type AuditEntry = AuditEvent & { readonly id: number; readonly at: Instant; readonly by: Actor };

/** The time at which an entry expires. */
export const forgottenAt = ({ at }: Pick<AuditEntry, 'at'>, days: number): Instant => addDays(at, days);

/** A filter for entries; a null condition matches all. */
export type AuditFilter = {
  /** Only entries from this moment on, and only those before `until`. */
  readonly since: Instant | null;
  readonly until: Instant | null;
  /** Entries about this account, or made by it. */
  readonly account_id: number | null;
  readonly product_id: number | null;
  /** An action (`device.released`), or the kind of a record (`device`). */
  readonly action: string | null;
  /** The kind of an actor (`command`), or kind and id (`key:42`). */
  readonly by: string | null;
  readonly subject: string | null;
};

const matches = <T>(filter: T | null, ...values: readonly T[]): boolean => filter === null || values.includes(filter);

export const isAskedFor = (entry: AuditEntry, filter: AuditFilter): boolean => {
  const { at, by, action } = entry;
  return (
    (filter.since === null || at >= filter.since) &&
    (filter.until === null || at < filter.until) &&
    matches(filter.account_id, entry.account_id, by.account_id) &&
    matches(filter.product_id, entry.product_id) &&
    matches(filter.action, action, action.split('.', 1)[0] as string) &&
    matches(filter.by, by.kind, `${by.kind}:${by.id}`) &&
    matches(filter.subject, entry.subject_id)
  );
};
