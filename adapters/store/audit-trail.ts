import type { Permit } from '../../domain/access/permit.ts';
import { type AuditEntry, type AuditFilter, forgottenAt, isAskedFor } from '../../domain/audit/entry.ts';
import type { AuditEvent } from '../../domain/audit/event.ts';
import { hasPassed, type Instant, toInstant } from '../../domain/shared/instant.ts';
import type { AuditLog } from '../../ports/outbound/audit-log.ts';
import type { Clock, Ids } from '../../ports/outbound/system.ts';
import { expiryAt } from './expiry.ts';
import { auditKeys, monthOf } from './keys/audit.ts';
import type { MessageWrites } from './messages.ts';
import type { OrderCounts } from './order-counts.ts';
import { everyShard, itemOf, merged, recordsOf } from './records.ts';
import type { TypedTable, TypedWrite } from './typed-table.ts';
import type { WebhookWrites } from './webhook-writes.ts';

export type AuditSettings = {
  /** The retention of an entry in days. */
  readonly days: number;
  /** True if an entry includes the IP address of the request. */
  readonly addresses: boolean;
};

type TrailParts = { readonly clock: Clock; readonly auditIds: Ids; readonly auditSettings: AuditSettings };

/** The dependencies of a repository whose changes the audit log records. */
export type AuditedParts = {
  readonly table: TypedTable;
  readonly auditTrail: AuditTrail;
  readonly messageWrites: MessageWrites;
  readonly webhookWrites: WebhookWrites;
  readonly orderCounts: OrderCounts;
};

/**
 * Creates the write of an audit entry, which a repository adds to the change's transaction. So no change lacks its
 * entry, and no entry lacks its change.
 */
export class AuditTrail {
  readonly #parts: TrailParts;

  constructor(parts: TrailParts) {
    this.#parts = parts;
  }

  entry(permit: Permit, event: AuditEvent): TypedWrite {
    const { clock, auditIds, auditSettings } = this.#parts;
    const by = permit.by();
    const isRequest = by.kind !== 'command';
    const entry: AuditEntry = {
      id: auditIds.next(),
      at: clock.now(),
      by: isRequest && !auditSettings.addresses ? { ...by, from: null } : by,
      ...event,
    };
    const expiry = expiryAt(forgottenAt(entry, auditSettings.days));
    return { put: itemOf(auditKeys.entry(entry), entry, expiry), condition: { absent: true } };
  }
}

type LogParts = {
  readonly table: TypedTable;
  readonly auditTrail: AuditTrail;
  readonly auditSettings: AuditSettings;
  readonly clock: Clock;
};

/** The number of a shard's entries in memory at a time. */
const PAGE = 250;

/** The months from `last` back to `first`, newest first. */
const monthsBack = (last: Instant, first: Instant): string[] => {
  const months: string[] = [];
  const at = new Date(`${monthOf(last)}-01T00:00:00.000Z`);
  for (; monthOf(toInstant(at)) >= monthOf(first); at.setUTCMonth(at.getUTCMonth() - 1)) {
    months.push(monthOf(toInstant(at)));
  }
  return months;
};

const newestFirst = (a: AuditEntry, b: AuditEntry): number => (a.at === b.at ? b.id - a.id : a.at < b.at ? 1 : -1);

/** Reads the log by months, the newest first, and the shards of a month in parallel. */
export class StoredAuditLog implements AuditLog {
  readonly #parts: LogParts;

  constructor(parts: LogParts) {
    this.#parts = parts;
  }

  async add(permit: Permit, event: AuditEvent): Promise<void> {
    const { table, auditTrail } = this.#parts;
    while (!(await table.transact([auditTrail.entry(permit, event)])));
  }

  oldest(): Instant {
    const { clock, auditSettings } = this.#parts;
    return forgottenAt({ at: clock.now() }, -auditSettings.days);
  }

  async *list(filter: AuditFilter, seen: (at: Instant) => void = () => {}): AsyncGenerator<AuditEntry> {
    const { table, clock, auditSettings } = this.#parts;
    const now = clock.now();
    const oldest = this.oldest();
    const since = filter.since !== null && filter.since > oldest ? filter.since : oldest;
    const last = filter.until !== null && filter.until < now ? filter.until : now;
    for (const month of monthsBack(last, since)) {
      const shards = everyShard((shard) =>
        recordsOf(table, { ...auditKeys.entries(month, shard, since, filter.until), descending: true, limit: PAGE }),
      );
      for await (const entry of merged(shards, newestFirst)) {
        seen(entry.at);
        if (isAskedFor(entry, filter) && !hasPassed(forgottenAt(entry, auditSettings.days), now)) yield entry;
      }
    }
  }
}
