import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { newDevice } from '../../../domain/devices/seat.ts';
import { versionsInUse } from '../../../domain/devices/versions-in-use.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { ACCOUNT, NOW, PRODUCT, type Use } from './helpers.ts';

const PERMIT = grantPermit();
const device = (id: string, app_version: string | null, at = NOW) =>
  newDevice(id, null, at, undefined, { app_version });

export const seenVersions = (use: Use): void => {
  const activate = async (id: string, version: string | null, account = ACCOUNT): Promise<void> => {
    const { slots } = await use().find(account, PRODUCT, id);
    const taken = await use().activate(PERMIT, account, PRODUCT, device(id, version), slots, { unlimited: true });
    if (!taken) await activate(id, version, account);
  };
  const since = async (day: string) => {
    const { devices, versions } = versionsInUse(await use().seenVersions(PRODUCT, day.slice(0, 10)));
    return [devices, Object.fromEntries(versions.map((one) => [one.version, one.devices]))];
  };

  test('the versions of 40 simultaneous devices are all counted', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, n) => activate(`device-${n}`, `1.${n % 2}`)));
    expect(await since(NOW)).toEqual([40, { '1.0': 20, '1.1': 20 }]);
    expect(await use().seenVersions(PRODUCT + 1, NOW.slice(0, 10))).toEqual([]);
  });

  test('a device that is seen again counts once, on its last day and with its last version', async () => {
    await activate('a', '1.0');
    await activate('b', null);
    await use().touch(PERMIT, ACCOUNT, PRODUCT, device('a', '2.0', addDays(NOW, 1)));
    expect(await since(NOW)).toEqual([2, { '2.0': 1, null: 1 }]);
    expect(await since(addDays(NOW, 1))).toEqual([1, { '2.0': 1 }]);
    await use().touch(PERMIT, ACCOUNT, PRODUCT, device('a', null, addDays(NOW, 40)));
    expect(await since(addDays(NOW, 11))).toEqual([1, { '2.0': 1 }]);
  });

  test('a device with a new offline file counts with its version, for 30 days also after its release', async () => {
    await activate('a', '1.0');
    const file = newDevice('a', null, addDays(NOW, 1), addDays(NOW, 9), { app_version: '1.5' });
    expect(await use().hold(PERMIT, ACCOUNT, PRODUCT, file)).toBe(true);
    expect(await since(addDays(NOW, 1))).toEqual([1, { '1.5': 1 }]);
    await use().release(PERMIT, ACCOUNT, PRODUCT, 'a', { now: NOW, offlineToo: true });
    expect(await since(NOW)).toEqual([1, { '1.5': 1 }]);
    expect(await since(addDays(NOW, 2))).toEqual([0, {}]);
    await activate('a', '1.6');
    await activate('a', '1.6', ACCOUNT + 1);
    expect(await since(NOW)).toEqual([2, { '1.6': 2 }]);
  });

  test('devices are found by id in every account, and by the beginning of an id only if that is long enough', async () => {
    await activate('machine-17', null);
    await activate('machine-18', null);
    await activate('machine-17', null, ACCOUNT + 1);
    await activate('short', null);
    await activate('한글 기기', null);
    const named = async (text: string) =>
      (await use().named(text, 10)).map((one) => `${one.account_id} ${one.device_id}`);
    expect(await named('machine-17')).toEqual([`${ACCOUNT} machine-17`, `${ACCOUNT + 1} machine-17`]);
    expect(await named('machine-')).toHaveLength(3);
    expect(await use().named('machine-', 2)).toHaveLength(2);
    expect(await Promise.all(['machine', 'shor', '한글 기', 'x'].map(named))).toEqual([[], [], [], []]);
    expect([await named('short'), await named('한글 기기')]).toEqual([[`${ACCOUNT} short`], [`${ACCOUNT} 한글 기기`]]);
    await use().release(PERMIT, ACCOUNT, PRODUCT, 'short', { now: NOW });
    expect(await named('short')).toEqual([]);
  });
};
