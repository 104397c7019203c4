export type Pace = {
  readonly bytesPerSecond: number;
  /** Milliseconds by which a body may fall behind the rate, at any point. */
  readonly graceMs: number;
  /** Milliseconds for the whole body, if limited. */
  readonly mostMs?: number;
};

/** The minimum pace of files. A connection slower than 64 kbit/s is too slow, and a stalling sender is cut off. */
export const BODY_PACE: Pace = { bytesPerSecond: 8 * 1024, graceMs: 15_000 };

/** Watches one body. Each byte earns time, at most the grace period, so a fast start allows no long pause later. */
export class BodyPace {
  readonly #pace: Pace;
  readonly #end: number;
  #deadline: number;
  #timer: NodeJS.Timeout;

  /** Starts the watch. `tooSlow` is called at most once, and never after `end`. */
  constructor(pace: Pace, tooSlow: () => void) {
    const now = performance.now();
    this.#pace = pace;
    this.#end = now + (pace.mostMs ?? Number.POSITIVE_INFINITY);
    this.#deadline = Math.min(this.#end, now + pace.graceMs);
    const wait = (ms: number): NodeJS.Timeout => setTimeout(check, ms).unref();
    const check = (): void => {
      const left = this.#deadline - performance.now();
      // A timer may fire a fraction of a millisecond early.
      if (left > 1) this.#timer = wait(left);
      else tooSlow();
    };
    this.#timer = wait(this.#deadline - now);
  }

  took(bytes: number): void {
    const { bytesPerSecond, graceMs } = this.#pace;
    const won = this.#deadline + (bytes * 1000) / bytesPerSecond;
    this.#deadline = Math.min(this.#end, won, performance.now() + graceMs);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
