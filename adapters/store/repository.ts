import type { AuditedParts, AuditTrail } from './audit-trail.ts';
import type { MessageWrites } from './messages.ts';
import type { OrderCounts } from './order-counts.ts';
import type { TypedTable } from './typed-table.ts';
import type { WebhookWrites } from './webhook-writes.ts';

/** A repository on the table. */
export class OnTable {
  protected readonly table: TypedTable;

  constructor(table: TypedTable) {
    this.table = table;
  }
}

/** A repository on the table whose changes the audit log records, and buyers and webhooks may be told of. */
export class Audited extends OnTable {
  protected readonly trail: AuditTrail;
  protected readonly messageWrites: MessageWrites;
  protected readonly webhookWrites: WebhookWrites;
  protected readonly orderCounts: OrderCounts;

  constructor({ table, auditTrail, messageWrites, webhookWrites, orderCounts }: AuditedParts) {
    super(table);
    this.trail = auditTrail;
    this.messageWrites = messageWrites;
    this.webhookWrites = webhookWrites;
    this.orderCounts = orderCounts;
  }
}
