import type { ApiKey } from '../../domain/access/api-key.ts';
import type { RevokeApiKey } from '../access/revoke-api-key.ts';
import type { Admission } from '../shared/admission.ts';

type Ports = { revokeApiKey: RevokeApiKey };

/** Ends the sign-in that the calling key stands for. */
export class SignOutDevice {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ key, admitted }: { key: ApiKey; admitted: Admission }): Promise<void> {
    await admitted;
    await this.#ports.revokeApiKey.revoke(key);
  }
}
