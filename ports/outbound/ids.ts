export interface Ids {
  /**
   * A new integer id below 2^53. It is unique without a call of the store; later ids are larger, to the millisecond.
   */
  next(): number;
}
