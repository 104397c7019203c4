import { type ApiKey, useIsUnrecorded } from '../../domain/access/api-key.ts';
import type { ApiKeys } from '../../ports/outbound/api-keys.ts';
import type { Clock } from '../../ports/outbound/clock.ts';

type Ports = { apiKeys: ApiKeys; clock: Clock };

/** Records the day's first use of a key (UTC), so that a device key in use does not end for idleness. */
export class RecordKeyUse {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(key: ApiKey): Promise<void> {
    const now = this.#ports.clock.now();
    if (useIsUnrecorded(key, now)) await this.#ports.apiKeys.touch(key, now);
  }
}
