import type { Permit } from '../../domain/access/permit.ts';
import type { AuditEntry, AuditFilter } from '../../domain/audit/entry.ts';
import type { AuditEvent } from '../../domain/audit/event.ts';
import type { Instant } from '../../domain/shared/instant.ts';

/**
 * The log of who changed what, when, and from where. A repository adds an entry in the same transaction as the change
 * that it tells of. Nobody changes an entry or removes one before it is forgotten.
 */
export interface AuditLog {
  /**
   * Adds an entry about something outside the table, such as a key in a file. The caller adds it before it makes the
   * change, so that no change is without its entry.
   */
  add(permit: Permit, event: AuditEvent): Promise<void>;
  /** The moment before which every entry is forgotten. */
  oldest(): Instant;
  /**
   * The entries that the filter asks for and that are not forgotten, newest first. A few pages of them are in memory at
   * a time, however long the log is. `seen` is told the moment of each entry that was looked at.
   */
  list(filter: AuditFilter, seen?: (at: Instant) => void): AsyncIterable<AuditEntry>;
}
