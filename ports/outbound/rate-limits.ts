export interface RateLimits {
  /**
   * Counts one request and returns the subject's number of requests in the window, including this one. One atomic step.
   * Null, with nothing counted, where the counter takes no more at the moment: whoever floods it must not keep callers
   * waiting, so that this is answered at once.
   * `window` is the number of the minute, or of another stretch of time that the subject is always counted by;
   * `expiresAt` is the Unix time in seconds after which the count may be forgotten. It needs no permit: it is a gate
   * itself.
   */
  hit(subject: string, window: number, expiresAt: number): Promise<number | null>;
  /** Takes back one `hit` with the same arguments, for an attempt that did no harm. */
  takeBack(subject: string, window: number, expiresAt: number): Promise<void>;
}
