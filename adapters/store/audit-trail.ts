import type { Permit } from '../../domain/access/permit.ts';
import { type AuditEntry, forgottenAt } from '../../domain/audit/entry.ts';
import type { AuditEvent } from '../../domain/audit/event.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Ids } from '../../ports/outbound/ids.ts';
import { expiryAt } from './expiry.ts';
import { itemOf } from './item-of.ts';
import { auditKeys } from './keys/audit.ts';
import type { Table, Write } from './table.ts';

export type AuditSettings = {
  /** Days for which an entry is kept. */
  readonly days: number;
  /** Whether an entry has the network address of a request. */
  readonly addresses: boolean;
};

export type Parts = { readonly clock: Clock; readonly auditIds: Ids; readonly auditSettings: AuditSettings };

/** The parts of a repository whose changes the audit log keeps. */
export type Audited = { readonly table: Table; readonly auditTrail: AuditTrail };

/**
 * Makes the write of an audit entry, which a repository puts into the transaction of the change. So there is no change
 * without its entry, and no entry without its change.
 */
export class AuditTrail {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The write of an entry about what the permit's holder does. */
  entry(permit: Permit, event: AuditEvent): Write {
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
