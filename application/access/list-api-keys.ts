import type { ApiKey } from '../../domain/access/api-key.ts';
import type { ApiKeys } from '../../ports/outbound/api-keys.ts';

type Ports = { apiKeys: ApiKeys };

/** The keys of an account, oldest first; those that ended lately are among them. */
export class ListApiKeys {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(accountId: number): Promise<ApiKey[]> {
    const rings = await this.#ports.apiKeys.rings(accountId);
    return rings.flatMap((ring) => ring.keys).sort((a, b) => a.id - b.id);
  }
}
