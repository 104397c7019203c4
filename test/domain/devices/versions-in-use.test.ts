import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type SeenVersions, versionsInUse, withDevice } from '../../../domain/devices/versions-in-use.ts';

const NONE: SeenVersions = { versions: [], others: 0 };
const counted = (versions: readonly (string | null)[]): SeenVersions =>
  versions.reduce<SeenVersions>((counts, version) => withDevice(counts, version, 1), NONE);

describe('the versions in use', () => {
  test('are added up over the days, the most used first, and a device without a version counts too', () => {
    expect(versionsInUse([counted(['1.0', '2.0', null]), counted(['2.0', '2.0'])])).toEqual({
      devices: 5,
      versions: [
        { version: '2.0', devices: 3 },
        { version: '1.0', devices: 1 },
        { version: null, devices: 1 },
      ],
      others: 0,
    });
  });

  test('beyond the most that are shown or counted are one number', () => {
    const many = Array.from({ length: 130 }, (_, n) => `1.${n}`);
    const counts = counted(many);
    expect([counts.versions.length, counts.others]).toEqual([100, 30]);
    expect(versionsInUse([counts])).toMatchObject({ devices: 130, others: 80 });
    expect(many.reduce((left, version) => withDevice(left, version, -1), counts)).toEqual(NONE);
  });

  test('of devices that come, change and go in any order are those of the devices that are left', () => {
    const steps = fc.array(fc.tuple(fc.nat(5), fc.constantFrom('1.0', '1.1', null, undefined)), { maxLength: 40 });
    fc.assert(
      fc.property(steps, (moves) => {
        const [at, left] = [new Map<number, string | null>(), new Map<string | null, number>()];
        let counts = NONE;
        for (const [device, version] of moves) {
          const before = at.get(device);
          if (before !== undefined) counts = withDevice(counts, before, -1);
          at.delete(device);
          if (version === undefined) continue;
          counts = withDevice(counts, version, 1);
          at.set(device, version);
        }
        for (const version of at.values()) left.set(version, (left.get(version) ?? 0) + 1);
        const shown = versionsInUse([counts]);
        expect([shown.devices, new Map(shown.versions.map((one) => [one.version, one.devices]))]).toEqual([
          at.size,
          left,
        ]);
      }),
    );
  });
});
