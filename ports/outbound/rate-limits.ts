export interface RateLimits {
  /**
   * Counts one request and returns how many the subject has made in the window, this one included; one atomic step.
   * `window` is the number of the minute, `expiresAt` Unix seconds after which the count may be forgotten.
   */
  hit(subject: string, window: number, expiresAt: number): Promise<number>;
}
