import type { ApiKey } from '../../domain/access/api-key.ts';
import type { Product } from '../../domain/catalog/product.ts';
import type { Devices } from '../../ports/outbound/devices.ts';
import type { RevokeApiKey } from '../access/revoke-api-key.ts';
import type { Admission } from '../shared/admission.ts';

type Ports = { devices: Devices; revokeApiKey: RevokeApiKey };

/** Gives back the slot of the calling key's device, then revokes the key; the key goes last, so that a call can be repeated. */
export class RevokeLicenseDevice {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ key, product, admitted }: { key: ApiKey; product: Product; admitted: Admission }) {
    const { devices, revokeApiKey } = this.#ports;
    await admitted;
    const deviceId = key.device?.device_id ?? null;
    const released = deviceId !== null && (await devices.release(key.account_id, product.id, deviceId));
    await revokeApiKey.execute(key.id);
    return {
      revoked: true,
      product_id: product.id,
      key_prefix: key.prefix,
      released_device_id: released ? deviceId : null,
    };
  }
}
