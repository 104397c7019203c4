import { expect, test } from 'vitest';
import { aDeviceStore } from '../../support/device-sign-in.ts';

test('the least recently used key of the same client is replaced once three are live', async () => {
  const { store, approved, poll } = await aDeviceStore();
  const replaced = async (client: string) => (await store.get('findReplacedKey')(1, client))?.device?.device_id ?? null;
  for (const device_id of ['one', 'two', 'three']) {
    expect(await replaced('cli')).toBeNull();
    const { device_code } = await approved({ device_id });
    await poll(device_code);
  }
  expect(await replaced('cli')).toBe('one');
  expect(await replaced('cloud-apps')).toBeNull();
});
