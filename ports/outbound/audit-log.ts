import type { Permit } from '../../domain/access/permit.ts';
import type { AuditEntry, AuditFilter } from '../../domain/audit/entry.ts';
import type { AuditEvent } from '../../domain/audit/event.ts';
import type { Instant } from '../../domain/shared/instant.ts';

/**
 * The log of who changed what, when, and from where. A repository adds an entry in the transaction of the change.
 * Entries are never changed, or deleted before they expire.
 */
export interface AuditLog {
  /**
   * Adds an entry about something outside the table, such as a key in a file, before the change, so no change is
   * without an entry.
   */
  add(permit: Permit, event: AuditEvent): Promise<void>;
  /** The time before which every entry has expired. */
  oldest(): Instant;
  /**
   * The entries that the filter asks for and that are not forgotten, newest first. A few pages of them are in memory at
   * a time, however long the log is. `seen` gets the time of each entry that was read.
   */
  list(filter: AuditFilter, seen?: (at: Instant) => void): AsyncIterable<AuditEntry>;
}
