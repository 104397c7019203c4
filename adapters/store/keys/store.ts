import type { Claim, RecordOwner } from '../../../domain/billing/record-owner.ts';
import type { Instant } from '../../../domain/shared/instant.ts';
import type { KeyUse } from '../../../domain/signing/key-use.ts';
import type { KeyOf } from './families.ts';
import { padded } from './shared.ts';

/** A process that fills an empty store. The claim is free again after `until`. */
type FirstStart = { readonly until: Instant };

/** The claim of the one process that may fill an empty store. */
export const firstStartKey: KeyOf<FirstStart> = { pk: 'FIRST-START', sk: 'CLAIM' };

/** Tells the store from others, wherever it lies. */
type StoreId = { readonly id: string };

export const storeIdKey: KeyOf<StoreId> = { pk: 'STORE', sk: 'ID' };

/** The format of the store's data, which objects and keys share: only the table leads to them. */
export type StoreFormat = {
  readonly format: number;
  /** The oldest format whose versions may use the data. */
  readonly open_to: number;
  /** The position of the migration to the next format; null if none is running. */
  readonly after: string | null;
};

export const storeFormatKey: KeyOf<StoreFormat> = { pk: 'STORE', sk: 'FORMAT' };

/** The newest time that a server on the store has recorded. */
export const storeClockKey: KeyOf<{ readonly seen_at: Instant }> = { pk: 'STORE', sk: 'CLOCK' };

/** The last end of a backup, by the moment of its state, or of an examination, and the number of faults that it found. */
export type LastRun = { readonly at: Instant; readonly faults: number };

export const RUNS = ['backup', 'doctor'] as const;

export const lastRunKey = (run: (typeof RUNS)[number]): KeyOf<LastRun> => ({
  pk: 'STORE',
  sk: `RUN#${run.toUpperCase()}`,
});

type MadeKey = { readonly use: KeyUse };

export const madeKey = (use: KeyUse): KeyOf<MadeKey> => ({ pk: 'STORE', sk: `KEY#${use}` });

/** The key of an id's or number's owner. */
export const ownerKey = (claim: Claim): KeyOf<RecordOwner> => {
  const kind = claim.kind.toUpperCase();
  return 'id' in claim
    ? { pk: `OWNER#${kind}#${padded(claim.id)}`, sk: 'OWNER' }
    : { pk: `NUMBER#${kind}#${claim.number}`, sk: 'OWNER' };
};
