import { type ApiKey, useIsUnrecorded } from '../../domain/access/api-key.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type Ports = Needs<'apiKeys' | 'clock'>;

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
