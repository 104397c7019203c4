import type { ApiKey } from '../../domain/access/api-key.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { Product } from '../../domain/catalog/product.ts';
import type { Devices } from '../../ports/outbound/devices.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import type { EndApiKey } from '../access/end-api-key.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

type Ports = { devices: Devices; endApiKey: EndApiKey; pauses: Pauses };
type Input = { key: ApiKey; product: Product; permit: Promise<Permit> };

/**
 * Releases the slot of the calling key's device, then revokes the key. The key is last, so that a call that broke off
 * can be repeated.
 */
export class RevokeLicenseDevice {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(input: Input) {
    const { key, product } = input;
    const permit = await input.permit;
    const deviceId = key.device?.device_id ?? null;
    const released = deviceId !== null && (await this.#release(permit, key.account_id, product.id, deviceId));
    await this.#ports.endApiKey.execute(permit, key);
    return {
      revoked: true,
      product_id: product.id,
      key_prefix: key.prefix,
      released_device_id: released ? deviceId : null,
    };
  }

  #release(permit: Permit, accountId: number, productId: number, deviceId: string): Promise<boolean> {
    const { devices, pauses } = this.#ports;
    return untilWritten(pauses, async () => {
      const released = await devices.release(permit, accountId, productId, deviceId);
      return released === 'changed' ? CONFLICT : released === 'released';
    });
  }
}
