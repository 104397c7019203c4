import type { ApiKey } from '../access/api-key.ts';
import type { Platform } from '../catalog/platform.ts';
import { compareText } from '../shared/compare-text.ts';
import { type Device, hasFreeSlot } from './seat.ts';

type SlotDevice = Pick<Device, 'device_id' | 'name' | 'platform' | 'last_seen_at'>;
type SignedInKey = Pick<ApiKey, 'device' | 'created_at' | 'last_used_at'>;

/** A machine with the slots that it holds and the keys that were signed in on it. */
export type Machine<D, K> = {
  readonly device_id: string;
  readonly name: string | null;
  /** The platform that it runs; null if no client has sent it. */
  readonly platform: Platform | null;
  readonly slots: readonly (D & { readonly product: { readonly id: number; readonly name: string } })[];
  readonly keys: readonly K[];
};

const lastSeen = ({ slots, keys }: Machine<SlotDevice, SignedInKey>): string =>
  [...slots.map((slot) => slot.last_seen_at), ...keys.map((key) => key.last_used_at ?? key.created_at)].sort().at(-1) ??
  '';

/** The machines of products and keys, most recently seen first. */
export const machinesOf = <D extends SlotDevice, K extends SignedInKey>(
  products: readonly { readonly id: number; readonly name: string; readonly devices: readonly D[] }[],
  keys: readonly K[],
): Machine<D, K>[] => {
  const slots = products.flatMap(({ id, name, devices }) => devices.map((one) => ({ ...one, product: { id, name } })));
  const slotsBy = Map.groupBy(slots, ({ device_id }) => device_id);
  const keysBy = Map.groupBy(keys, ({ device }) => device?.device_id);
  return [...new Set([...slotsBy.keys(), ...keysBy.keys()])]
    .flatMap((device_id) => {
      if (device_id === undefined) return [];
      const [held, own] = [slotsBy.get(device_id) ?? [], keysBy.get(device_id) ?? []];
      const name = [...held, ...own.map(({ device }) => device)].find((one) => one?.name)?.name ?? null;
      const platform = held.find((one) => one.platform)?.platform ?? null;
      return { device_id, name, platform, slots: held, keys: own };
    })
    .toSorted((a, b) => compareText(lastSeen(b), lastSeen(a)));
};

/** True if a new device finds no slot. A withdrawn device gives way, and access that has ended has no slots at all. */
export const isFull = (product: {
  readonly device_limit: number | null;
  readonly used: number;
  readonly devices: readonly { readonly withdrawn: boolean }[];
}): boolean =>
  product.device_limit !== 0 &&
  !hasFreeSlot(product.used, product.device_limit) &&
  !product.devices.some(({ withdrawn }) => withdrawn);
