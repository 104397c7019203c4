import type { AuditedParts, AuditTrail } from './audit-trail.ts';
import type { MessageWrites } from './messages.ts';
import type { TypedTable } from './typed-table.ts';

/** A repository on the table. */
export class OnTable {
  protected readonly table: TypedTable;

  constructor(table: TypedTable) {
    this.table = table;
  }
}

/** A repository on the table whose changes are recorded in the audit log and may send messages to buyers. */
export class Audited extends OnTable {
  protected readonly trail: AuditTrail;
  protected readonly messageWrites: MessageWrites;

  constructor({ table, auditTrail, messageWrites }: AuditedParts) {
    super(table);
    this.trail = auditTrail;
    this.messageWrites = messageWrites;
  }
}
