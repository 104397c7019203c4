export interface Ids {
  /** A new integer id, unique without asking the store, later ones larger (to the millisecond); below 2^53. */
  next(): number;
}
