import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { ReleaseSlots } from '../devices/release-slots.ts';

export type Ports = { releaseSlots: ReleaseSlots };

export type Input = { account_id: number; product_id: number; device_id: string };

/** Releases the slot that a device holds for a product. The device's key lives on, and may take a free slot again. */
export const releaseDevice =
  ({ releaseSlots }: Ports) =>
  async (permit: Permit, { account_id, product_id, device_id }: Input): Promise<Outcome<null, 'device_not_found'>> => {
    const released = await releaseSlots.ofProduct(permit, account_id, product_id, device_id);
    return released ? ok(null) : refuse('device_not_found', { message: 'This device holds no slot of the product.' });
  };

export type ReleaseDevice = ReturnType<typeof releaseDevice>;
