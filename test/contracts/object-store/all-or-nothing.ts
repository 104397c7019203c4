import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { ChecksumMismatch } from '../../../ports/outbound/object-store.ts';
import { breakingOff, expectNothing, newKey, streamOf, type Use } from './helpers.ts';

/** An object is stored whole or not at all. */
export const allOrNothing = (use: Use): void => {
  test.each([
    ['with another checksum', { sha256: 'f'.repeat(64) }],
    ['shorter than expected', { size: 101 }],
    ['longer than expected', { size: 99 }],
  ])('a put of bytes %s stores nothing', async (_, expected) => {
    const bytes = randomBytes(100);
    const key = newKey();
    await expect(use().put(grantPermit(), key, streamOf(bytes), expected)).rejects.toThrow(ChecksumMismatch);
    await expectNothing(use(), key);
    expect((await use().put(grantPermit(), key, streamOf(bytes))).created).toBe(true);
  });

  test('a put whose stream fails halfway stores nothing and fails with the same error', async () => {
    const bytes = randomBytes(300_000);
    const key = newKey();
    const fault = new Error('the sender went away');
    await expect(use().put(grantPermit(), key, breakingOff(bytes, fault))).rejects.toThrow('the sender went away');
    await expectNothing(use(), key);
    expect((await use().put(grantPermit(), key, streamOf(bytes))).created).toBe(true);
  });

  test('an object is invisible until all of it has arrived', async () => {
    const key = newKey();
    const source = new Readable({ read() {} });
    const put = use().put(grantPermit(), key, source);
    source.push(randomBytes(100_000));
    await sleep(20);
    await expectNothing(use(), key);
    source.push(null);
    expect((await put).created).toBe(true);
  });
};
