import { describe, expect, test } from 'vitest';
import { keySecrets } from '../../../adapters/crypto/secrets.ts';
import { aDeviceStore, told } from '../../support/device-sign-in.ts';

describe('devices that sign in at the same time', () => {
  test('twenty simultaneous devices all get a key, and exactly three keys stay live', async () => {
    const { store, start, decide, poll, liveKeys } = await aDeviceStore();
    const names = Array.from({ length: 20 }, (_, n) => `device-${n}`);
    const signIn = async (device_id: string) => {
      const { device_code, user_code } = await start({ device_id });
      expect(told(await decide(user_code))).toBe('ok');
      return poll(device_code);
    };
    const redeemed = await Promise.all(names.map(signIn));
    expect(redeemed.map(told)).toEqual(names.map(() => 'ok'));
    expect(await liveKeys()).toHaveLength(3);
    const values = redeemed.flatMap((one) => (one.ok ? [one.value.value] : []));
    const working = await Promise.all(values.map((value) => store.get('authenticate')(value)));
    expect(working.filter(({ ok }) => ok)).toHaveLength(3);
  });

  test('of twenty simultaneous polls exactly one gets the key', async () => {
    const { approved, poll, liveKeys } = await aDeviceStore();
    const { device_code } = await approved();
    const answers = await Promise.all(Array.from({ length: 20 }, () => poll(device_code)));
    expect(answers.map(told).sort()).toEqual([...Array(19).fill('expired_token'), 'ok']);
    expect(await liveKeys()).toHaveLength(1);
  });

  test('of twenty early polls at once one is in time, and the others are slowed down', async () => {
    const { start, poll } = await aDeviceStore();
    const { device_code } = await start();
    const answers = await Promise.all(Array.from({ length: 20 }, () => poll(device_code)));
    expect(answers.map(told).sort()).toEqual(['authorization_pending', ...Array(19).fill('slow_down')]);
  });

  test('a device whose key could not be made because of an error polls again and gets it', async () => {
    let fails = true;
    const faulty = {
      ...keySecrets,
      mint: () => {
        if (fails) throw new Error('no more randomness');
        return keySecrets.mint();
      },
    };
    const { approved, poll } = await aDeviceStore({}, { keySecrets: faulty });
    const { device_code } = await approved();
    await expect(poll(device_code)).rejects.toThrow('no more randomness');
    fails = false;
    expect(told(await poll(device_code))).toBe('ok');
    expect(told(await poll(device_code))).toBe('expired_token');
  });
});
