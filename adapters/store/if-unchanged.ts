import type { Condition } from './table.ts';

/**
 * The condition that an item is still as it was read: of the same version, or still absent where the read found none
 * (`version` is null). A write on this condition loses to every other write of the item since the read.
 */
export const ifUnchanged = (version: string | null): Condition => (version === null ? { absent: true } : { version });
