import type { Permit } from '../../domain/access/permit.ts';
import type { AuditEntry, AuditFilter } from '../../domain/audit/entry.ts';
import type { AuditEvent } from '../../domain/audit/event.ts';
import type { Instant } from '../../domain/shared/instant.ts';

/**
 * The log of who changed what, when, and from where. A repository adds an entry in the transaction of the change.
 * Entries are never changed, and never deleted before they expire.
 */
export interface AuditLog {
  /**
   * Adds an entry about a change outside the table, such as a key in a file. Call it before the change, so that no
   * change lacks its entry.
   */
  add(permit: Permit, event: AuditEvent): Promise<void>;
  /** The time before which every entry has expired. */
  oldest(): Instant;
  /**
   * The unexpired entries that match the filter, newest first. However long the log is, memory holds a few pages at a
   * time. `seen` is called with the time of each entry read.
   */
  list(filter: AuditFilter, seen?: (at: Instant) => void): AsyncIterable<AuditEntry>;
}
