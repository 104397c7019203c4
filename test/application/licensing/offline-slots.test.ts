import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { addDays, toInstant } from '../../../domain/shared/instant.ts';
import { anEntitlement, NOW } from '../../support/builders.ts';
import { aLicenseStore } from '../../support/license-store.ts';

const permit = grantPermit();
const IDS = ['a', 'b', 'c', 'd'];

/** The store of `aLicenseStore`, the end of the file that a check returned, and releases. */
const aFileStore = async (...contents: Parameters<typeof aLicenseStore>) => {
  const licensed = await aLicenseStore(...contents);
  const { store, check } = licensed;
  const release = (device_id: string, offlineToo = false) =>
    store.get('releaseSlots').ofProduct(permit, 1, 1, device_id, offlineToo);
  const fileEnd = async (device_id: string): Promise<string | null> => {
    const checked = await check({ device_id }, { offline: true });
    const token = checked.ok ? checked.value.token : null;
    if (!token) return null;
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    return toInstant(claims.exp * 1000);
  };
  const code = async (device_id: string, offline = false) => {
    const checked = await check({ device_id }, { offline });
    return checked.ok ? checked.value.code : checked.code;
  };
  return { ...licensed, release, fileEnd, code };
};

describe('the slot of a device with an offline file', () => {
  test('ten machines that get a file and are released in turn get no more files than the license has slots', async () => {
    const { release, code } = await aFileStore();
    const codes: string[] = [];
    for (let n = 0; n < 10; n++) {
      codes.push(await code(`machine-${n}`, true));
      await release(`machine-${n}`);
    }
    expect(codes).toEqual(['valid', 'valid', ...Array.from({ length: 8 }, () => 'device_limit_reached')]);
  });

  test('a released device is listed with the end of its file, and frees its slot then', async () => {
    const { store, check, release, fileEnd, code } = await aFileStore();
    const end = (await fileEnd('press')) as string;
    await check({ device_id: 'laptop' });
    expect(await release('press')).toMatchObject({ device_id: 'press', offline_until: end, released_at: NOW });
    const device = { device_id: 'press', offline_until: end, released_at: NOW };
    expect(await check({ device_id: 'phone' })).toMatchObject({
      code: 'device_limit_reached',
      data: { device: null, devices_used: 2, device_limit: 2, devices: [{ device_id: 'laptop' }, device] },
    });
    const owned = await store.get('devices').used(1);
    expect(owned.get(1)).toMatchObject({ used: 1, held: [device] });
    store.clock.at = toInstant(Date.parse(end) - 1);
    expect(await code('phone')).toBe('device_limit_reached');
    store.clock.at = end;
    expect(await code('phone')).toBe('valid');
    expect(await check({ device_id: null })).toMatchObject({ value: { devices_used: 2, device_limit: 2 } });
  });

  test('a released device takes its own slot again, which its file still holds', async () => {
    const { check, release, fileEnd, code, seated } = await aFileStore();
    const end = await fileEnd('press');
    await check({ device_id: 'laptop' });
    await release('press');
    expect(await code('press')).toBe('valid');
    expect(await seated()).toEqual(['laptop', 'press']);
    expect(await release('press')).toMatchObject({ offline_until: end });
    expect(await code('phone')).toBe('device_limit_reached');
  });

  test('a released device counts as new if the limit was lowered below the slots in use', async () => {
    const { store, check, release, code } = await aFileStore();
    await code('press', true);
    await check({ device_id: 'laptop' });
    await release('press');
    await store.put({ entitlements: [anEntitlement({ device_limit: 1 })] });
    expect(await code('press')).toBe('device_limit_reached');
    expect(await code('laptop')).toBe('valid');
  });

  test('a machine that lost its file gets another one for the same slot', async () => {
    const { check, fileEnd, release } = await aFileStore();
    const end = await fileEnd('press');
    expect([await fileEnd('press'), (await check({ device_id: null })).ok]).toEqual([end, true]);
    await release('press');
    expect(await fileEnd('press')).toBe(end);
    expect(await check({ device_id: null })).toMatchObject({ value: { devices_used: 1 } });
  });

  test('the operator can free the slot of a running file, and a withdrawn device holds none', async () => {
    const { store, release, code } = await aFileStore();
    await code('press', true);
    await code('other', true);
    for (const id of ['press', 'other']) await release(id);
    expect(await release('press', true)).toBe('released');
    expect(await code('phone')).toBe('valid');
    await store.put({ policy: { revoked: [{ product_id: 1, device_id: 'other' }] } });
    expect(await code('tablet')).toBe('valid');
    expect((await store.get('devices').used(1)).get(1)).toMatchObject({ used: 2, held: [] });
  });

  test('a file ends with the slots of its sale, and the files of another sale stay valid', async () => {
    const end = addDays(NOW, 10);
    const entitlements = [
      anEntitlement({ device_limit: 1 }),
      anEntitlement({ id: 2, device_limit: 1, access_expires_at: end }),
    ];
    const { store, fileEnd, code } = await aFileStore({ entitlements });
    const [first, second] = [await fileEnd('press'), await fileEnd('laptop')];
    expect([first === addDays(NOW, 365), second]).toEqual([true, end]);
    expect(await code('phone')).toBe('device_limit_reached');
    store.clock.at = end;
    expect([await code('press'), await code('phone')]).toEqual(['valid', 'device_limit_reached']);
  });

  test('a license without a limit counts the slots that files hold, in every shard', async () => {
    const { store, check, release, code } = await aFileStore({ entitlements: [anEntitlement({ device_limit: 1000 })] });
    for (const id of IDS) await code(id, true);
    for (const id of IDS) await release(id);
    expect(await check({ device_id: null })).toMatchObject({ value: { devices_used: 4 } });
    await store.put({ entitlements: [anEntitlement({ device_limit: 4 })] });
    expect(await code('fifth')).toBe('device_limit_reached');
  });

  test('a file that ends with the access no longer holds its slot', async () => {
    const soon = addDays(NOW, 3);
    const { store, release, fileEnd } = await aFileStore({
      entitlements: [anEntitlement({ access_expires_at: soon })],
    });
    expect(await fileEnd('press')).toBe(soon);
    expect(await release('press')).toMatchObject({ offline_until: soon });
    store.clock.at = soon;
    expect(await release('press')).toBe('not there');
  });
});

test('devices and running files together never exceed the limit, in any order of steps', async () => {
  const id = fc.constantFrom(...IDS);
  const step = fc.oneof(
    fc.record({ check: id }),
    fc.record({ file: id }),
    fc.record({ release: id }),
    fc.record({ wait: fc.constantFrom(1, 100, 400) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { store, release, fileEnd, code, seated } = await aFileStore();
      const files = new Map<string, string>();
      for (const one of steps) {
        if ('wait' in one) store.clock.at = addDays(store.clock.at, one.wait);
        else if ('release' in one) await release(one.release);
        else if ('check' in one) await code(one.check);
        else {
          const end = await fileEnd(one.file);
          if (end) files.set(one.file, end);
        }
        const running = [...files].flatMap(([device, end]) => (end > store.clock.at ? [device] : []));
        expect(new Set([...running, ...(await seated())]).size).toBeLessThanOrEqual(2);
      }
      for (const device of IDS) await release(device);
      store.clock.at = addDays(store.clock.at, 366);
      expect([await code('x'), await code('y'), await code('z')]).toEqual(['valid', 'valid', 'device_limit_reached']);
    }),
    { numRuns: 60 },
  );
});
