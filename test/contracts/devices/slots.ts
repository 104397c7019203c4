import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Device } from '../../../domain/devices/seat.ts';
import { ACCOUNT, activateAll, aDevice, idsOf, LATER, NOW, PRODUCT, slotsOf, type Use } from './helpers.ts';

const PERMIT = grantPermit();

/** Ids that some stores confuse, and the longest one. */
const IDS = [
  'a',
  'A',
  'a ',
  ' a',
  'á',
  'a\u0301',
  '한',
  '😀',
  '%',
  '_',
  'a#b',
  'a/b',
  '../a',
  '{"a":1}',
  '0',
  'x'.repeat(255),
];

export const slots = (use: Use): void => {
  const activate = (device: Device, read: Awaited<ReturnType<typeof slotsOf>>, product = PRODUCT, account = ACCOUNT) =>
    use().activate(PERMIT, account, product, device, read);
  const release = (id: string) => use().release(PERMIT, ACCOUNT, PRODUCT, id, { now: NOW });
  const find = (id: string | null, product = PRODUCT, account = ACCOUNT) => use().find(account, product, id);

  test('an account without devices has no slot in use', async () => {
    expect(await find('a')).toMatchObject({ device: undefined, slots: { used: 0 } });
    expect(await find(null)).toMatchObject({ device: undefined, slots: { used: 0 } });
    expect(await use().list(ACCOUNT, PRODUCT)).toEqual([]);
  });

  test('a device that takes a slot is found unchanged, with the number of slots in use', async () => {
    const device = { ...aDevice('a'), name: 'Büro 한 😀', last_seen_at: LATER };
    expect(await activate(device, await slotsOf(use()))).toBe(true);
    expect(await find('a')).toMatchObject({ device, slots: { used: 1, version: expect.any(String) } });
    expect(await find(null)).toMatchObject({ device: undefined, slots: { used: 1 } });
    expect(await find('b')).toMatchObject({ device: undefined, slots: { used: 1 } });
    expect(await use().list(ACCOUNT, PRODUCT)).toEqual([device]);
  });

  test('devices whose ids differ in any character hold slots of their own', async () => {
    await activateAll(use(), IDS);
    expect((await slotsOf(use())).used).toBe(IDS.length);
    for (const id of IDS) expect((await find(id)).device?.device_id).toBe(id);
    for (const id of IDS.slice(1)) expect(await release(id)).toBe('released');
    expect(await idsOf(use())).toEqual(IDS.slice(0, 1));
  });

  test('a device of one product or account holds no slot of another', async () => {
    await activateAll(use(), ['a']);
    for (const [product, account] of [
      [2, ACCOUNT],
      [12, ACCOUNT],
      [PRODUCT, 8],
      [PRODUCT, 71],
    ] as const) {
      expect(await find('a', product, account)).toMatchObject({ device: undefined, slots: { used: 0 } });
      await activateAll(use(), ['a', 'b'], product, account);
    }
    expect((await slotsOf(use())).used).toBe(1);
    expect(await release('a')).toBe('released');
    expect((await find('a', 12)).device).toBeDefined();
    expect((await slotsOf(use(), PRODUCT, 71)).used).toBe(2);
  });

  test('a device takes no slot if another has taken one since the slots were read', async () => {
    const read = await slotsOf(use());
    await activateAll(use(), ['a']);
    expect(await activate(aDevice('b'), read)).toBe(false);
    const second = await slotsOf(use());
    await activateAll(use(), ['c']);
    expect(await activate(aDevice('b'), second)).toBe(false);
    expect(await idsOf(use())).toEqual(['a', 'c']);
    expect(await find('b')).toMatchObject({ device: undefined, slots: { used: 2 } });
  });

  test('a device takes no slot if slots changed since they were read, even if the number is the same', async () => {
    const none = await slotsOf(use());
    await activateAll(use(), ['a']);
    const one = await slotsOf(use());
    await release('a');
    expect(await activate(aDevice('b'), none)).toBe(false);
    await activateAll(use(), ['c']);
    expect(await activate(aDevice('b'), one)).toBe(false);
    expect(await idsOf(use())).toEqual(['c']);
  });

  test('a device that holds a slot takes no second one', async () => {
    await activateAll(use(), ['a', 'b']);
    expect(await activate(aDevice('a', LATER), await slotsOf(use()))).toBe(false);
    expect(await find('a')).toMatchObject({ device: aDevice('a', NOW), slots: { used: 2 } });
  });

  test('a released device holds no slot, and can take one again', async () => {
    await activateAll(use(), ['a', 'b']);
    expect(await release('a')).toBe('released');
    expect(await find('a')).toMatchObject({ device: undefined, slots: { used: 1 } });
    expect(await activate(aDevice('a', LATER), await slotsOf(use()))).toBe(true);
    expect(await find('a')).toMatchObject({ device: { activated_at: LATER }, slots: { used: 2 } });
  });

  test('releasing a device that holds no slot changes nothing', async () => {
    expect(await release('a')).toBe('not there');
    await activateAll(use(), ['a', 'b']);
    expect(await release('a')).toBe('released');
    const read = await slotsOf(use());
    for (const id of ['a', 'never there']) expect(await release(id)).toBe('not there');
    expect(await slotsOf(use())).toEqual(read);
    expect(await activate(aDevice('c'), read)).toBe(true);
  });

  test('a device with a slot can be renamed, and one without a slot can’t', async () => {
    await activateAll(use(), ['a']);
    const rename = (id: string, name: string | null) => use().rename(PERMIT, ACCOUNT, PRODUCT, id, name);
    for (const name of ['Büro 한 😀', null, 'Desk']) {
      expect(await rename('a', name)).toBe('renamed');
      expect(await find('a')).toMatchObject({ device: { ...aDevice('a'), name }, slots: { used: 1 } });
    }
    expect(await rename('a', 'Desk')).toBe('renamed');
    for (const id of ['b', 'never there']) expect(await rename(id, 'Desk')).toBe('not there');
    await release('a');
    expect(await rename('a', 'Ghost')).toBe('not there');
    expect(await use().list(ACCOUNT, PRODUCT)).toEqual([]);
  });

  describe('the offline file of a device', () => {
    const END = '2027-11-21T08:00:00.000Z';
    const hold = (id: string, until = END) =>
      use().hold(PERMIT, ACCOUNT, PRODUCT, { ...aDevice(id), offline_until: until });
    const freeAt = (id: string, now: string, offlineToo = false) =>
      use().release(PERMIT, ACCOUNT, PRODUCT, id, { now, offlineToo });

    test('an offline file holds the slot of a released device, which is no longer listed', async () => {
      await activateAll(use(), ['a', 'b']);
      const read = await slotsOf(use());
      expect([await hold('a'), await hold('a', LATER), await hold('never there')]).toEqual([true, true, false]);
      expect((await find('a')).device).toEqual({ ...aDevice('a'), offline_until: END });
      const held = { ...aDevice('a'), offline_until: END, released_at: NOW };
      expect(await freeAt('a', NOW)).toEqual(held);
      expect(await freeAt('a', NOW)).toEqual(held);
      expect(await find('a')).toMatchObject({ device: undefined, slots: { used: 1, held: [held] } });
      expect((await use().used(ACCOUNT)).get(PRODUCT)).toMatchObject({ used: 1, held: [held] });
      expect(await activate(aDevice('c'), read)).toBe(false);
    });

    test('an offline file holds no slot after its end, and none that the operator frees', async () => {
      await activateAll(use(), ['a', 'b', 'c']);
      for (const id of ['a', 'b', 'c']) await hold(id);
      expect(await freeAt('a', END)).toBe('released');
      expect(await freeAt('b', NOW, true)).toBe('released');
      expect(await freeAt('c', NOW)).toMatchObject({ device_id: 'c' });
      expect(await freeAt('c', END)).toBe('not there');
      expect(await freeAt('c', NOW, true)).toBe('released');
      expect(await freeAt('c', NOW, true)).toBe('not there');
      expect(await slotsOf(use())).toMatchObject({ used: 0, held: [] });
    });

    test.each([
      false,
      true,
    ])('an offline file no longer holds the slot once its device takes a slot again (no limit: %s)', async (unlimited) => {
      await activateAll(use(), ['a', 'b']);
      await hold('a');
      await freeAt('a', NOW);
      const again = { ...aDevice('a', LATER), offline_until: END };
      expect(await use().activate(PERMIT, ACCOUNT, PRODUCT, again, await slotsOf(use()), { unlimited })).toBe(true);
      expect(await find('a')).toMatchObject({ device: again, slots: { used: 2, held: [] } });
      expect(await freeAt('a', NOW)).toMatchObject({ offline_until: END });
    });
  });

  test('a touch records only when a device was last seen', async () => {
    await activateAll(use(), ['a']);
    const read = await slotsOf(use());
    await use().touch(PERMIT, ACCOUNT, PRODUCT, { ...aDevice('a', LATER), name: 'renamed' });
    expect((await find('a')).device).toEqual({ ...aDevice('a', NOW), last_seen_at: LATER });
    expect(await activate(aDevice('b'), read)).toBe(true);
  });

  test('a touch gives no slot to a released or unknown device', async () => {
    await activateAll(use(), ['a']);
    await release('a');
    for (const id of ['a', 'never there']) await use().touch(PERMIT, ACCOUNT, PRODUCT, aDevice(id, LATER));
    expect(await use().list(ACCOUNT, PRODUCT)).toEqual([]);
    expect(await find('a')).toMatchObject({ device: undefined, slots: { used: 0 } });
  });
};
