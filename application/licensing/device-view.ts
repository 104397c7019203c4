import type { Device } from '../../domain/devices/device.ts';

/** A device as its owner is shown it. */
export const deviceView = ({ device_id, name, activated_at, last_seen_at }: Device) => ({
  device_id,
  name,
  activated_at,
  last_seen_at,
});
