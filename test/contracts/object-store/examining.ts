import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Depth } from '../../../ports/outbound/object-store.ts';
import { newKey, sha256Of, stored, type Use } from './helpers.ts';

const DEPTHS: readonly Depth[] = ['size', 'doubtful', 'bytes'];

/** An examination compares an object with its record. */
export const examining = (use: Use): void => {
  const bytes = randomBytes(1000);
  const facts = { sha256: sha256Of(bytes), size: bytes.length };

  test.each(DEPTHS)('an examination of the depth %s finds whole and missing objects', async (depth) => {
    const key = await stored(use(), bytes);
    expect(await use().examine(key, facts, { depth })).toBe('whole');
    expect(await use().examine(newKey(), facts, { depth })).toBe('missing');
  });

  test('an examination finds an object of another size or SHA-256 than its record', async () => {
    const key = await stored(use(), bytes);
    const of = (expected: Partial<typeof facts>) => use().examine(key, { ...facts, ...expected }, { depth: 'bytes' });
    expect(await of({ size: 1001 })).toBe('truncated');
    expect(await of({ size: 999 })).toBe('altered');
    expect(await of({ sha256: sha256Of(randomBytes(10)) })).toBe('altered');
  });

  test('an examination of every byte reports the bytes that it has read', async () => {
    const key = await stored(use(), bytes);
    let read = 0;
    const seen = (more: number): void => {
      read += more;
    };
    await use().examine(key, facts, { depth: 'bytes', seen });
    expect(read).toBe(1000);
  });
};
