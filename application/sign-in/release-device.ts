import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Devices } from '../../ports/outbound/devices.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

type Ports = { devices: Devices; pauses: Pauses };

type Input = { account_id: number; product_id: number; device_id: string };

/** Releases the slot that a device holds for a product. The device's key lives on, and may take a free slot again. */
export class ReleaseDevice {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  execute(permit: Permit, { account_id, product_id, device_id }: Input): Promise<Outcome<null, 'device_not_found'>> {
    const { devices, pauses } = this.#ports;
    return untilWritten(pauses, async () => {
      const released = await devices.release(permit, account_id, product_id, device_id);
      if (released === 'changed') return CONFLICT;
      return released === 'released'
        ? ok(null)
        : refuse('device_not_found', { message: 'This device holds no slot of the product.' });
    });
  }
}
