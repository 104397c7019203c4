/** The number of ids in a block: block 0 has the ids 0 to 8191, block 1 the next ones, and so on. */
export const BLOCK_IDS = 8192;

const BYTES = BLOCK_IDS / 8;

/** A set of ids of one block, one bit each. The functions here don't change their arguments. */
export type IdBlock = Uint8Array;

export const blockOf = (id: number): number => Math.floor(id / BLOCK_IDS);

export const emptyBlock = (): IdBlock => new Uint8Array(BYTES);

/** The block with some ids added and others removed. All must belong to this block. */
export const changedBlock = (
  block: IdBlock,
  change: { readonly set: Iterable<number>; readonly clear: Iterable<number> },
) => {
  const next = block.slice();
  for (const id of change.clear) next[(id % BLOCK_IDS) >> 3] = (next[(id % BLOCK_IDS) >> 3] ?? 0) & ~(1 << (id & 7));
  for (const id of change.set) next[(id % BLOCK_IDS) >> 3] = (next[(id % BLOCK_IDS) >> 3] ?? 0) | (1 << (id & 7));
  return next;
};

export const commonIds = (first: IdBlock, ...others: readonly IdBlock[]): IdBlock =>
  first.map((byte, n) => others.reduce((both, other) => both & (other[n] ?? 0), byte));

export const unitedIds = (a: IdBlock, b: IdBlock): IdBlock => a.map((byte, n) => byte | (b[n] ?? 0));

export const isSameBlock = (a: IdBlock, b: IdBlock): boolean => a.every((byte, n) => byte === b[n]);

const BITS = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

export const countOfBlock = (block: IdBlock): number => {
  let count = 0;
  for (const byte of block) count += BITS[byte] ?? 0;
  return count;
};

/** The ids of a block in ascending order. `number` is the block's number. */
export const idsOfBlock = (block: IdBlock, number: number): number[] => {
  const ids: number[] = [];
  for (let n = 0; n < BYTES; n++) {
    const byte = block[n] ?? 0;
    for (let bit = 0; byte >> bit !== 0; bit++) if ((byte >> bit) & 1) ids.push(number * BLOCK_IDS + n * 8 + bit);
  }
  return ids;
};
