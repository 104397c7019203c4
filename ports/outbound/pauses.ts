export interface Pauses {
  /** Waits a short random while, longer on average with each further attempt (counted from 1). */
  before(attempt: number): Promise<void>;
}
