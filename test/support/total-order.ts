import fc from 'fast-check';
import { expect } from 'vitest';
import type { VersionOrder } from '../../domain/delivery/version-order.ts';

/** Checks that the order of versions is reflexive, antisymmetric and transitive, including ties. */
export const expectTotalOrder = (order: VersionOrder, version: fc.Arbitrary<string>): void => {
  const sign = (a: string, b: string) => Math.sign(order.compare(a, b)) + 0;
  fc.assert(
    fc.property(version, version, version, (a, b, c) => {
      expect(sign(a, a)).toBe(0);
      expect(sign(a, b) + sign(b, a)).toBe(0);
      if (sign(a, b) <= 0 && sign(b, c) <= 0) expect(sign(a, c)).toBe(Math.min(sign(a, b), sign(b, c)) + 0);
    }),
    { numRuns: 3000 },
  );
};

/** Checks that the normal form of a version ranks like the version and is its own normal form. */
export const expectStableNormalForm = (order: VersionOrder, version: fc.Arbitrary<string>): void => {
  fc.assert(
    fc.property(version, (written) => {
      const normal = order.normalize(written);
      expect(normal).toBeDefined();
      expect(order.normalize(normal as string)).toBe(normal);
      expect(order.compare(written, normal as string) + 0).toBe(0);
    }),
  );
};
