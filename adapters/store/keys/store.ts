import type { Claim, RecordOwner } from '../../../domain/billing/record-owner.ts';
import type { Instant } from '../../../domain/shared/instant.ts';
import type { KeyUse } from '../../../domain/signing/key-use.ts';
import type { KeyOf } from './families.ts';
import { padded } from './shared.ts';

/** The claim of a process that fills an empty store. It is free again after `until`. */
type FirstStart = { readonly until: Instant };

/** The key of the claim that lets one process fill an empty store. */
export const firstStartKey: KeyOf<FirstStart> = { pk: 'FIRST-START', sk: 'CLAIM' };

/** Identifies the store and its copies. */
type StoreId = { readonly id: string };

export const storeIdKey: KeyOf<StoreId> = { pk: 'STORE', sk: 'ID' };

/** The format of the store's data. It covers objects and keys too, because only the table leads to them. */
export type StoreFormat = {
  readonly format: number;
  /** The oldest format whose versions may use the data. */
  readonly open_to: number;
  /** The position of the migration to the next format; null if no migration is running. */
  readonly after: string | null;
};

export const storeFormatKey: KeyOf<StoreFormat> = { pk: 'STORE', sk: 'FORMAT' };

/** The newest time that a server has recorded in the store. */
export const storeClockKey: KeyOf<{ readonly seen_at: Instant }> = { pk: 'STORE', sk: 'CLOCK' };

/**
 * The end of the last backup, as the moment of its state, or of the last examination, with the number of faults that it
 * found.
 */
export type LastRun = { readonly at: Instant; readonly faults: number };

export const RUNS = ['backup', 'doctor'] as const;

export const lastRunKey = (run: (typeof RUNS)[number]): KeyOf<LastRun> => ({
  pk: 'STORE',
  sk: `RUN#${run.toUpperCase()}`,
});

type MadeKey = { readonly use: KeyUse };

export const madeKey = (use: KeyUse): KeyOf<MadeKey> => ({ pk: 'STORE', sk: `KEY#${use}` });

/** The key that names the owner of an id or number. */
export const ownerKey = (claim: Claim): KeyOf<RecordOwner> => {
  const kind = claim.kind.toUpperCase();
  return 'id' in claim
    ? { pk: `OWNER#${kind}#${padded(claim.id)}`, sk: 'OWNER' }
    : { pk: `NUMBER#${kind}#${claim.number}`, sk: 'OWNER' };
};
