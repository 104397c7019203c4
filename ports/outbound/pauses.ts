export interface Pauses {
  /** Waits for a short random time, which grows on average with the attempt's number (from 1). */
  before(attempt: number): Promise<void>;
}
