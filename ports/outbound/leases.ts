import type { Permit } from '../../domain/access/permit.ts';
import type { Lease } from '../../domain/devices/lease.ts';

/** A lease as read. Its version changes with each write. */
export type ReadLease = Lease & { readonly version: string };

/**
 * The leases of a product's sessions, one for each numbered slot. The caller decides on the leases that it read, and
 * one is written only if the record of its slot is unchanged, so a slot has one holder however many ask concurrently.
 * An implementation must pass the contract suite `contracts/leases`.
 */
export interface Leases {
  /** The leases of an account for a product by slot, including ones that have expired. Each is current. */
  of(account_id: number, product_id: number): Promise<readonly ReadLease[]>;
  /**
   * Writes a lease in the place of `before`, which is undefined for a slot without a record. Returns false and writes
   * nothing if the slot was written meanwhile: the caller reads and decides again.
   */
  save(permit: Permit, account_id: number, lease: Lease, before: ReadLease | undefined): Promise<boolean>;
  /** Ends a lease. Returns false if it was written meanwhile. `untold` leaves no audit entry, for its holder. */
  end(
    permit: Permit,
    account_id: number,
    lease: ReadLease,
    options?: { readonly untold?: boolean | undefined },
  ): Promise<boolean>;
}
