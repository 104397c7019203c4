import { type ApiKey, useIsUnrecorded } from '../../domain/access/api-key.ts';
import type { ApiKeys } from '../../ports/outbound/api-keys.ts';
import type { Clock } from '../../ports/outbound/clock.ts';

export type Ports = { apiKeys: ApiKeys; clock: Clock };

/** Records the day's first use of a key (UTC), so that a device key in use does not end for idleness. */
export class RecordKeyUse {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Undefined where today's use is recorded already, which costs the caller no promise. */
  execute(key: ApiKey): Promise<void> | undefined {
    const now = this.#ports.clock.now();
    return useIsUnrecorded(key, now) ? this.#ports.apiKeys.touch(key, now) : undefined;
  }
}
