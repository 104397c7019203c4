import type { Permit } from '../../domain/access/permit.ts';
import type { AuditEntry, AuditFilter } from '../../domain/audit/entry.ts';
import type { AuditEvent } from '../../domain/audit/event.ts';

/**
 * Who changed what, when, and from where. A repository adds an entry in the same transaction as the change that it tells
 * of. Nobody changes an entry or removes one before it is forgotten.
 */
export interface AuditLog {
  /**
   * Adds an entry about something outside the table, such as a key in a file. The caller adds it before it makes the
   * change, so that no change is without its entry.
   */
  add(permit: Permit, event: AuditEvent): Promise<void>;
  /** The entries that the filter asks for and that are not forgotten, newest first. */
  list(filter: AuditFilter): AsyncIterable<AuditEntry>;
}
