import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { deviceName } from '../../domain/sign-in/device-sign-in.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ReleaseSlots } from '../devices/slots.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

export type Ports = Needs<'devices' | 'pauses'> & { releaseSlots: ReleaseSlots };

export type Input = { account_id: number; device_id: string; name: string };

/**
 * Gives a device the name that its owner wrote, in each slot that it holds. A name of which nothing can be seen takes
 * the name away.
 */
export const renameDevice =
  ({ devices, releaseSlots, pauses }: Ports) =>
  async (
    permit: Permit,
    { account_id, device_id, name }: Input,
  ): Promise<Outcome<string | null, 'device_not_found'>> => {
    const given = deviceName(name);
    const renamed = await Promise.all(
      (await releaseSlots.takenProducts(account_id)).map((productId) =>
        untilWritten(pauses, async () => {
          const written = await devices.rename(permit, account_id, productId, device_id, given);
          return written === 'changed' ? CONFLICT : written === 'renamed';
        }),
      ),
    );
    return renamed.includes(true) ? ok(given) : refuse('device_not_found', { message: 'This device holds no slot.' });
  };

export type RenameDevice = ReturnType<typeof renameDevice>;
