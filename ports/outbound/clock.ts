import type { Instant } from '../../domain/shared/instant.ts';

export interface Clock {
  now(): Instant;
}
