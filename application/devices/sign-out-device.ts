import type { ApiKey } from '../../domain/access/api-key.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { EndApiKey } from '../access/end-api-key.ts';

type Ports = { endApiKey: EndApiKey };

/** Signs a device out: revokes the calling key and the product keys that its bulk activation made. */
export class SignOutDevice {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ key, permit }: { key: ApiKey; permit: Promise<Permit> }): Promise<void> {
    await this.#ports.endApiKey.execute(await permit, key);
  }
}
