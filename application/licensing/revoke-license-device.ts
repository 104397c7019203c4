import type { ApiKey } from '../../domain/access/api-key.ts';
import type { Product } from '../../domain/catalog/product.ts';
import type { Devices } from '../../ports/outbound/devices.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import type { RevokeApiKey } from '../access/revoke-api-key.ts';
import type { Admission } from '../shared/admission.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

type Ports = { devices: Devices; revokeApiKey: RevokeApiKey; pauses: Pauses };

/** Gives back the slot of the calling key's device, then revokes the key; the key goes last, so that a call can be repeated. */
export class RevokeLicenseDevice {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ key, product, admitted }: { key: ApiKey; product: Product; admitted: Admission }) {
    await admitted;
    const deviceId = key.device?.device_id ?? null;
    const released = deviceId !== null && (await this.#release(key.account_id, product.id, deviceId));
    await this.#ports.revokeApiKey.revoke(key);
    return {
      revoked: true,
      product_id: product.id,
      key_prefix: key.prefix,
      released_device_id: released ? deviceId : null,
    };
  }
  #release(accountId: number, productId: number, deviceId: string): Promise<boolean> {
    const { devices, pauses } = this.#ports;
    return untilWritten(pauses, async () => {
      const released = await devices.release(accountId, productId, deviceId);
      return released === 'changed' ? CONFLICT : released === 'released';
    });
  }
}
