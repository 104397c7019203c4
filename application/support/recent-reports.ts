import { type Instant, MINUTE_MS, millis } from '../../domain/shared/instant.ts';

/** The most groups of a minute to remember. Reports of a further group are all counted. */
const REMEMBERED = 10_000;

/** The reports of each group that this process got in the clock minute. */
export class RecentReports {
  #minute = 0;
  readonly #counts = new Map<string, number>();

  /** Counts a report, and gives its number among those of its group in the minute, from 1. */
  next(fingerprint: string, now: Instant): number {
    const minute = Math.floor(millis(now) / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#counts.clear();
    }
    const known = this.#counts.get(fingerprint);
    if (known === undefined && this.#counts.size >= REMEMBERED) return 1;
    const nth = (known ?? 0) + 1;
    this.#counts.set(fingerprint, nth);
    return nth;
  }
}
