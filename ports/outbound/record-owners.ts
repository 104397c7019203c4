import type { Claim, RecordOwner } from '../../domain/operations/record-owner.ts';

/** The effect of saving a record. `taken`: another record has its id or its number, and nothing was written. */
export type SavedRecord = 'created' | 'updated' | 'unchanged' | 'taken';

export interface RecordOwners {
  /**
   * The owner of each claim, in the order of the claims; undefined where no record has it. A record that was stored
   * before owners were has none until it is saved again.
   */
  of(claims: readonly Claim[]): Promise<readonly (RecordOwner | undefined)[]>;
}
