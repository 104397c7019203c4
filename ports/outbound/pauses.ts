import type { Instant } from '../../domain/shared/instant.ts';

export interface Pauses {
  /** Waits for a short random time, which grows on average with the attempt's number (from 1). */
  before(attempt: number): Promise<void>;
  /** Waits until the moment has come, by the clock of this machine. */
  until(moment: Instant): Promise<void>;
}
