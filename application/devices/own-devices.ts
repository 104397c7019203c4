import type { Permit } from '../../domain/access/permit.ts';
import { DEVICES_LISTED, type Device, type HeldDevice, offlineUntil } from '../../domain/devices/seat.ts';
import { type DeviceProduct, deviceProducts } from '../../domain/licensing/account-products.ts';
import { isWithdrawn } from '../../domain/policy/client-policy.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { Localized } from '../../domain/shared/locale.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { deviceName } from '../../domain/sign-in/device-sign-in.ts';
import type { DevicePage } from '../../ports/outbound/devices.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import type { ReleaseSlots } from './slots.ts';

/** The devices shown per product when all products are shown. */
const DEVICES_OF_EACH = 20;

const NO_DEVICES: DevicePage = { devices: [], next: null };

/** The devices of an account that hold slots of a product. */
export async function* everyDevice(
  { devices }: Needs<'devices'>,
  account_id: number,
  product_id: number,
): AsyncGenerator<Device> {
  for (let after: string | null | undefined; after !== null; ) {
    const page: DevicePage = await devices.page(account_id, product_id, { limit: 100, after: after ?? null });
    yield* page.devices;
    after = page.next;
  }
}

export type OwnDevice = Omit<Device, 'offline_until'> & {
  /** The time at which the valid offline file expires; null without one. */
  readonly offline_until: Instant | null;
  /** The time at which the device was released, if its offline file still holds the slot. */
  readonly released_at: Instant | null;
  /** True if the client policy withdraws the device, so its slot is free for another one. */
  readonly withdrawn: boolean;
  /** True if it is a running session of a floating license; `offline_until` is then the end of its borrowing. */
  readonly is_session: boolean;
};

export type ProductDevices = {
  readonly id: number;
  readonly name: Localized;
  /** Null means no limit; 0 if the account's access to the product has ended. */
  readonly device_limit: number | null;
  readonly used: number;
  /** One page of devices; the first page starts with released ones that still hold a slot. */
  readonly devices: readonly OwnDevice[];
  /** The id for requesting the next page; null if there is none. */
  readonly next: string | null;
};

type ListOwnDevicesPorts = Needs<'catalogs' | 'clock' | 'devices' | 'licenses'>;

/**
 * The devices of an account by product, in the order of the catalog: each product that the account may use, and each
 * that it has devices of. A bundle product has no devices and is left out. `product_id` selects one product, in pages
 * of 100 devices; otherwise each product has its first 20.
 */
export const listOwnDevices = ({ catalogs, licenses, devices, clock }: ListOwnDevicesPorts) =>
  async function listOwnDevices(
    account_id: number,
    product_id: number | null,
    after: string | null = null,
  ): Promise<{ products: ProductDevices[] }> {
    const [{ products, bundles, policy }, holdings, held] = await Promise.all([
      catalogs.current(),
      licenses.held(account_id),
      devices.used(account_id),
    ]);
    const selected = [...products.values()].filter(({ id }) => product_id === null || id === product_id);
    const now = clock.now();
    const ownProducts = deviceProducts(selected, bundles, holdings, held, now);
    const limit = product_id === null ? DEVICES_OF_EACH : DEVICES_LISTED;
    const page = async (id: number, used: number) =>
      used === 0 ? NO_DEVICES : devices.page(account_id, id, { limit, after });
    const withDevices = async ({
      product: { id, name, slots },
      device_limit,
      used,
      held,
    }: DeviceProduct): Promise<ProductDevices> => {
      const { devices: found, next } = await page(id, used);
      const all: readonly (Device | HeldDevice)[] = [...(after === null ? held : []), ...found];
      const owned = all.map((device) => ({
        ...device,
        offline_until: offlineUntil(device, now),
        released_at: 'released_at' in device ? device.released_at : null,
        withdrawn: isWithdrawn(policy, { product_id: id, device_id: device.device_id }),
        is_session: slots === 'sessions',
      }));
      return { id, name, device_limit, used, devices: owned, next };
    };
    return { products: await Promise.all(ownProducts.map(withDevices)) };
  };

export type ReleaseDeviceInput = {
  account_id: number;
  /** Null releases every slot of the device. */
  product_id: number | null;
  device_id: string;
};

/**
 * Releases the slots that a device holds. The device's key stays valid, and may take a free slot again. Returns the
 * latest end of the offline files that keep slots; null if there is none.
 */
export const releaseDevice = ({ releaseSlots }: { releaseSlots: ReleaseSlots }) =>
  async function releaseDevice(
    permit: Permit,
    { account_id, product_id, device_id }: ReleaseDeviceInput,
  ): Promise<Outcome<{ readonly offline_until: Instant | null }, 'device_not_found'>> {
    const products = product_id === null ? await releaseSlots.takenProducts(account_id) : [product_id];
    const { freed, held } = await releaseSlots.ofProducts(permit, account_id, products, device_id);
    if (freed.length + held.length === 0) return refuse('device_not_found', { message: 'This device holds no slot.' });
    return ok({
      offline_until:
        held
          .map(({ offline_until }) => offline_until)
          .sort()
          .at(-1) ?? null,
    });
  };

export type RenameDeviceInput = { account_id: number; device_id: string; name: string };

type RenameDevicePorts = Needs<'devices' | 'pauses'> & { releaseSlots: ReleaseSlots };

/** Sets the device's name in each slot that it holds. A name without visible characters removes the name. */
export const renameDevice = ({ devices, releaseSlots, pauses }: RenameDevicePorts) =>
  async function renameDevice(
    permit: Permit,
    { account_id, device_id, name }: RenameDeviceInput,
  ): Promise<Outcome<string | null, 'device_not_found'>> {
    const newName = deviceName(name);
    const renamed = await Promise.all(
      (await releaseSlots.takenProducts(account_id)).map((product_id) =>
        untilWritten(pauses, async () => {
          const written = await devices.rename(permit, account_id, product_id, device_id, newName);
          return written === 'changed' ? CONFLICT : written === 'renamed';
        }),
      ),
    );
    return renamed.includes(true) ? ok(newName) : refuse('device_not_found', { message: 'This device holds no slot.' });
  };
