import { type ApiKey, useIsUnrecorded } from '../../domain/access/api-key.ts';
import type { ApiKeys } from '../../ports/outbound/api-keys.ts';
import type { Clock } from '../../ports/outbound/clock.ts';

export type Ports = { apiKeys: ApiKeys; clock: Clock };

/**
 * Records the day's first use of a key (UTC), so that a device key in use does not end for idleness.
 *
 * Undefined where today's use is recorded already, which costs the caller no promise.
 */
export const recordKeyUse =
  ({ clock, apiKeys }: Ports) =>
  (key: ApiKey): Promise<void> | undefined => {
    const now = clock.now();
    return useIsUnrecorded(key, now) ? apiKeys.touch(key, now) : undefined;
  };

export type RecordKeyUse = ReturnType<typeof recordKeyUse>;
