import { toInstant } from '../../domain/shared/instant.ts';
import type { Clock } from '../../ports/outbound/clock.ts';

/** The machine's clock. */
export const systemClock: Clock = { now: () => toInstant(Date.now()) };
