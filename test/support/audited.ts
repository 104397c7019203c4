import { type AuditedParts, AuditTrail } from '../../adapters/store/audit-trail.ts';
import { messageWrites } from '../../adapters/store/messages.ts';
import { OrderCounts } from '../../adapters/store/order-counts.ts';
import type { Table } from '../../adapters/store/table.ts';
import { systemClock, systemIds, systemPauses } from '../../adapters/system/system.ts';
import { AUDIT_DAYS, type AuditFilter } from '../../domain/audit/entry.ts';
import type { Pauses } from '../../ports/outbound/system.ts';

/** Tells no webhook of a change. */
export const noWebhooks = async () => [];

/** Tells the shop nothing. */
export const noNotices = { writes: async () => [], sum: async () => false };

/** A table with an audit trail, for a repository that a test creates itself. */
export const audited = (table: Table): AuditedParts & { readonly pauses: Pauses } => ({
  table,
  pauses: systemPauses,
  webhookWrites: noWebhooks,
  orderCounts: new OrderCounts({ table, zone: async () => 'UTC' }),
  messageWrites: messageWrites({ clock: systemClock, messageIds: systemIds(), mailSettings: null }),
  auditTrail: new AuditTrail({
    clock: systemClock,
    auditIds: systemIds(),
    auditSettings: { days: AUDIT_DAYS, addresses: true },
  }),
});

/** The filter that matches every entry. */
export const EVERY_ENTRY: AuditFilter = {
  since: null,
  until: null,
  account_id: null,
  product_id: null,
  action: null,
  by: null,
  subject: null,
};
