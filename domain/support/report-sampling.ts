/** Reports of one group in a minute that a process counts one by one. */
export const COUNTED_SINGLY = 100;

/** Reports of one group in a minute of which a process counts one in ten. Of those after them it counts one in a hundred. */
export const COUNTED_BY_TEN = 1000;

/** The number that a report counts for, if it is counted: one in so many is. `nth` is its number in the minute, from 1. */
export const weightOf = (nth: number): number => (nth <= COUNTED_SINGLY ? 1 : nth <= COUNTED_BY_TEN ? 10 : 100);

/** The reports that follow each other and of which one is counted, by a number of their own. */
export const blockOf = (nth: number): number => Math.floor((nth - 1) / weightOf(nth));

/** Decides by the SHA-256 of something of its block, as hex, whether a report is the one of the block that counts. */
export const isCounted = (nth: number, sha256OfBlock: string): boolean => {
  const weight = weightOf(nth);
  return (nth - 1) % weight === Number.parseInt(sha256OfBlock.slice(0, 12), 16) % weight;
};
