import type { Refused } from '../../../../domain/shared/outcome.ts';

/** Tells when to try again after a refusal for want of a place. */
export const retryAfter = ({ data }: Refused): Readonly<Record<string, string>> => ({
  'retry-after': String(data?.['retry_after'] ?? 5),
});

/** Whole minutes after which a refusal for too many attempts ends. */
export const minutesOf = ({ data }: Refused): number =>
  Math.max(1, Math.ceil(Number(data?.['retry_after'] ?? 60) / 60));
