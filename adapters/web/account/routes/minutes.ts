import type { Refused } from '../../../../domain/shared/outcome.ts';

/** Whole minutes after which a refusal for too many attempts ends. */
export const minutesOf = ({ data }: Refused): number =>
  Math.max(1, Math.ceil(Number(data?.['retry_after'] ?? 60) / 60));
