import type { Permit } from '../../domain/access/permit.ts';
import { renewedLock } from '../../domain/collect/lease.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { CollectRuns, ReadLock } from '../../ports/outbound/collect.ts';

/** Renews a lease that is partly over. Of several uploads at once one renews it, and the others go on. */
export const renewLease = async (
  permit: Permit,
  runs: CollectRuns,
  held: ReadLock,
  { leaseSeconds, now }: { leaseSeconds: number; now: Instant },
): Promise<void> => {
  const renewed = held.lock && renewedLock(held.lock, leaseSeconds, now);
  if (renewed) await runs.renew(permit, renewed, held);
};
