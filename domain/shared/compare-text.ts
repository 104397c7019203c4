/** Orders texts by code units, and so moments by time. Negative if the first one comes first. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
