import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Devices } from '../../../ports/outbound/devices.ts';
import { ACCOUNT, activateAll, aDevice, idsOf, LATER, NOW, PRODUCT, slotsOf, type Use } from './helpers.ts';

const PERMIT = grantPermit();

/** More attempts than the number of competitors. */
const ATTEMPTS = 200;

/** Takes a free slot, and decides again whenever the slots have changed. */
const seat = async (devices: Devices, id: string, limit: number): Promise<boolean> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const slots = await slotsOf(devices);
    if (slots.used >= limit) return false;
    if (await devices.activate(PERMIT, ACCOUNT, PRODUCT, aDevice(id), slots)) return true;
  }
  throw new Error('Others came in between more often than there are others.');
};

/** Releases a device, and retries whenever the slots have changed. True if this call released it. */
const unseat = async (devices: Devices, id: string): Promise<boolean> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const done = await devices.release(PERMIT, ACCOUNT, PRODUCT, id, { now: NOW });
    if (done !== 'changed') return done === 'released';
  }
  throw new Error('Others came in between more often than there are others.');
};

const named = (count: number, name = 'device'): string[] => Array.from({ length: count }, (_, n) => `${name}-${n}`);

export const races = (use: Use): void => {
  const expectExact = async (ids: readonly string[]): Promise<void> => {
    expect(await idsOf(use())).toEqual([...ids].sort());
    expect((await slotsOf(use())).used).toBe(ids.length);
    expect((await use().used(ACCOUNT)).get(PRODUCT)?.used ?? 0).toBe(ids.length);
  };

  test.each([1, 2, 5])('of 16 simultaneous devices, exactly %i take as many free slots', async (limit) => {
    const ids = named(16);
    const seated = await Promise.all(ids.map((id) => seat(use(), id, limit)));
    expect(seated.filter(Boolean)).toHaveLength(limit);
    await expectExact(ids.filter((_, i) => seated[i]));
  });

  test('of several devices that decide on the same read of the slots, exactly one takes a slot', async () => {
    for (let round = 0; round < 5; round++) {
      const slots = await slotsOf(use());
      const ids = named(8, `round-${round}`);
      const done = ids.map((id) => use().activate(PERMIT, ACCOUNT, PRODUCT, aDevice(id), slots));
      expect((await Promise.all(done)).filter(Boolean)).toHaveLength(1);
      expect((await slotsOf(use())).used).toBe(round + 1);
    }
  });

  test('a device that arrives several times at once takes one slot', async () => {
    const attempts = Array.from({ length: 8 }, async () => {
      const { device, slots } = await use().find(ACCOUNT, PRODUCT, 'a');
      return device === undefined && (await use().activate(PERMIT, ACCOUNT, PRODUCT, aDevice('a'), slots));
    });
    expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1);
    await expectExact(['a']);
  });

  test('a device that is released several times at once frees one slot', async () => {
    await activateAll(use(), ['a', 'b', 'c']);
    const released = await Promise.all(Array.from({ length: 8 }, () => unseat(use(), 'b')));
    expect(released.filter(Boolean)).toHaveLength(1);
    await expectExact(['a', 'c']);
  });

  test('the slot count stays exact while devices come and go simultaneously', async () => {
    const old = named(6, 'old');
    await activateAll(use(), old);
    const fresh = named(12, 'new');
    const [released, seated] = await Promise.all([
      Promise.all(old.map((id) => unseat(use(), id))),
      Promise.all(fresh.map((id) => seat(use(), id, 8))),
    ]);
    expect(released).toEqual(old.map(() => true));
    const left = fresh.filter((_, i) => seated[i]);
    expect(left.length).toBeGreaterThanOrEqual(2);
    expect(left.length).toBeLessThanOrEqual(8);
    await expectExact(left);
  });

  test('a file that is recorded during the release of its device holds the slot or is refused', async () => {
    for (const id of named(8)) {
      await activateAll(use(), [id]);
      const file = { ...aDevice(id), offline_until: LATER };
      const [recorded] = await Promise.all([use().hold(PERMIT, ACCOUNT, PRODUCT, file), unseat(use(), id)]);
      const { used, held } = await slotsOf(use());
      const isHeld = held.some(({ device_id }) => device_id === id);
      expect([used, isHeld]).toEqual([0, recorded]);
    }
  });

  /** Takes a slot of a license without a limit. */
  const seatFreely = async (id: string): Promise<boolean> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { device, slots } = await use().find(ACCOUNT, PRODUCT, id);
      if (device) return false;
      if (await use().activate(PERMIT, ACCOUNT, PRODUCT, aDevice(id), slots, { unlimited: true })) return true;
    }
    throw new Error('Others came in between more often than there are others.');
  };

  test('simultaneous devices without a limit, some of them twice, are each counted once', async () => {
    const ids = named(40);
    const seated = await Promise.all([...ids, ...ids.slice(0, 8)].map(seatFreely));
    expect(seated.filter(Boolean)).toHaveLength(40);
    await expectExact(ids);
  });

  test('the slot count stays exact while devices with and without a limit come and go', async () => {
    const [old, free, limited] = [named(10, 'old'), named(10, 'free'), named(12, 'limited')];
    for (const id of old) await seatFreely(id);
    const [, , seated] = await Promise.all([
      Promise.all(old.slice(0, 5).map((id) => unseat(use(), id))),
      Promise.all(free.map(seatFreely)),
      Promise.all(limited.map((id) => seat(use(), id, 18))),
    ]);
    const taken = limited.filter((_, n) => seated[n]);
    expect(taken.length).toBeLessThanOrEqual(12);
    await expectExact([...old.slice(5), ...free, ...taken]);
    for (const id of [...old.slice(5), ...free, ...taken]) expect(await unseat(use(), id)).toBe(true);
    await expectExact([]);
  });

  test('a limit counts the devices that were added without one', async () => {
    const free = named(3, 'free');
    for (const id of free) await seatFreely(id);
    const seated = await Promise.all(named(16).map((id) => seat(use(), id, 5)));
    expect(seated.filter(Boolean)).toHaveLength(2);
    expect((await slotsOf(use())).used).toBe(5);
  });

  test('a device takes no slot of a limit if one without a limit was added since the slots were read', async () => {
    await seatFreely('first');
    const read = await slotsOf(use());
    await unseat(use(), 'first');
    await seatFreely('first');
    expect(await use().activate(PERMIT, ACCOUNT, PRODUCT, aDevice('late'), read)).toBe(false);
    await expectExact(['first']);
  });

  test('a touch never restores a device that is released at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const id = `touched-${round}`;
      await activateAll(use(), [id]);
      const touch = () => use().touch(PERMIT, ACCOUNT, PRODUCT, aDevice(id, LATER));
      await Promise.all([touch(), unseat(use(), id), touch(), touch()]);
      await expectExact([]);
    }
  });
};
