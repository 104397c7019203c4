import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { newDevice, sharedAt } from '../../../domain/devices/seat.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { ACCOUNT, activateAll, LATER, NOW, PRODUCT, slotsOf, type Use } from './helpers.ts';

const PERMIT = grantPermit();
const DAY_3 = addDays(LATER, 1);
const END = addDays(NOW, 365);

/** The values by which copies of a device are detected. */
export const continuation = (use: Use): void => {
  const seen = (fresh: string, now: string) => newDevice('a', null, now, undefined, { name: 'Mac', fresh });
  const activate = async () => use().activate(PERMIT, ACCOUNT, PRODUCT, seen('one', NOW), await slotsOf(use()));
  const touch = (fresh: string, now: string, presented: string | null) =>
    use().touch(PERMIT, ACCOUNT, PRODUCT, seen(fresh, now), presented);
  const found = async () => (await use().find(ACCOUNT, PRODUCT, 'a')).device;

  test('a continuation value is returned as recorded, with the day or where a check presents another one', async () => {
    await activate();
    expect(await touch('two', LATER, 'one')).toMatchObject({ continuation: 'two' });
    expect(await touch('three', LATER, 'one')).toMatchObject({ continuation: 'one' });
    expect(await touch('four', LATER, 'other')).toMatchObject({ continuation: 'four' });
    expect((await found())?.continuation).toEqual({ current: 'four', before: 'other', mismatches: [LATER] });
  });

  test('simultaneous touches return no unrecorded value', async () => {
    await activate();
    const answers = await Promise.all(['two', 'three', 'four'].map((fresh) => touch(fresh, LATER, 'one')));
    const kept = (await found())?.continuation;
    for (const answer of answers) expect([kept?.current, kept?.before, undefined]).toContain(answer?.continuation);
  });

  test('the values of a device end with its release, even if its offline file holds the slot', async () => {
    await activate();
    await touch('two', LATER, 'other');
    await use().hold(PERMIT, ACCOUNT, PRODUCT, { ...seen('three', LATER), offline_until: END });
    const released = await use().release(PERMIT, ACCOUNT, PRODUCT, 'a', { now: LATER });
    expect(released).toMatchObject({ offline_until: END, name: 'Mac' });
    expect(released).not.toHaveProperty('continuation');
    await activate();
    expect((await found())?.continuation).toEqual({ current: 'one' });
  });

  test('the third mismatch reports that two machines use the device', async () => {
    await activate();
    await touch('two', NOW, 'other');
    await touch('three', LATER, 'one');
    expect(sharedAt((await found())!)).toBeNull();
    const shared = await touch('four', DAY_3, 'two');
    expect(shared && sharedAt(shared.device)).toBe(DAY_3);
    expect(await found()).toEqual(shared?.device);
  });

  test('a name from a machine replaces its former one, but not a name from a person', async () => {
    await activateAll(use(), ['a']);
    const names: unknown[] = [];
    for (const [day, rename] of [
      [LATER, 'Anna’s'],
      [DAY_3, null],
      [addDays(DAY_3, 1), undefined],
    ] as const) {
      await touch('one', day, null);
      names.push((await found())?.name);
      if (rename !== undefined) await use().rename(PERMIT, ACCOUNT, PRODUCT, 'a', rename);
    }
    expect(names).toEqual(['Mac', 'Anna’s', 'Mac']);
  });
};
