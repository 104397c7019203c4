import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { ReleaseSlots } from '../devices/release-slots.ts';

export type Ports = { releaseSlots: ReleaseSlots };

export type Input = {
  account_id: number;
  /** Null releases every slot of the device. */
  product_id: number | null;
  device_id: string;
};

/** Releases the slots that a device holds. The device's key lives on, and may take a free slot again. */
export const releaseDevice =
  ({ releaseSlots }: Ports) =>
  async (permit: Permit, { account_id, product_id, device_id }: Input): Promise<Outcome<null, 'device_not_found'>> => {
    const products = product_id === null ? await releaseSlots.takenProducts(account_id) : [product_id];
    const released = await releaseSlots.ofProducts(permit, account_id, products, device_id);
    return released.length > 0 ? ok(null) : refuse('device_not_found', { message: 'This device holds no slot.' });
  };

export type ReleaseDevice = ReturnType<typeof releaseDevice>;
