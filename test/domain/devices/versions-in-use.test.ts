import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { versionsInUse } from '../../../domain/devices/versions-in-use.ts';

describe('the versions in use', () => {
  test('versions in use are counted, the most used first, and devices without a version count too', () => {
    expect(versionsInUse(['1.0', '2.0', null, '2.0', '2.0'])).toEqual({
      devices: 5,
      versions: [
        { version: '2.0', devices: 3 },
        { version: '1.0', devices: 1 },
        { version: null, devices: 1 },
      ],
      others: 0,
    });
  });

  test('each device counts once, and devices beyond the 50 most used versions count in one number', () => {
    const seen = fc.array(fc.oneof(fc.nat(80).map(String), fc.constant(null)), { maxLength: 300 });
    fc.assert(
      fc.property(seen, (versions) => {
        const shown = versionsInUse(versions);
        const listed = shown.versions.map(({ devices }) => devices);
        expect(shown).toEqual(versionsInUse(versions.toReversed()));
        expect(listed.length).toBe(Math.min(50, new Set(versions).size));
        expect(listed.reduce((sum, n) => sum + n, shown.others)).toBe(versions.length);
        expect(shown.devices).toBe(versions.length);
      }),
    );
  });
});
