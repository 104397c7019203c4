import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  freeSlots,
  judgeLease,
  type Lease,
  leaseStep,
  liveLeases,
  type SessionAsked,
  sessionLimit,
} from '../../../domain/devices/lease.ts';
import { addDays, type Instant, MINUTE_MS, millis, toInstant } from '../../../domain/shared/instant.ts';
import { aLease, NOW } from '../../support/builders.ts';

const minutes = (count: number): Instant => toInstant(millis(NOW) + count * MINUTE_MS);

const asked = (overrides: Partial<SessionAsked> = {}): SessionAsked => ({
  product: { id: 1 },
  lease_id: null,
  fresh: '00000000ff',
  device_id: 'laptop',
  name: null,
  app_version: null,
  nonce: null,
  borrow_days: null,
  slotEnd: () => null,
  ...overrides,
});

const step = (leases: readonly Lease[], limit: number, more: Partial<SessionAsked> = {}, now = NOW) =>
  leaseStep(leases, liveLeases(leases, [], now), limit, asked(more), now);

const held = (slot: number, more: Partial<Lease> = {}): Lease =>
  aLease({ slot, lease_id: `lease-${slot}`, expires_at: minutes(5), ...more });

describe('a session', () => {
  test('a session takes a free slot for ten minutes, or for the time that the product sets', () => {
    expect(step([], 1)?.lease).toMatchObject({ slot: 1, lease_id: '00000000ff', expires_at: minutes(10) });
    expect(step([], 1, { product: { id: 1, lease_minutes: 60 } })?.lease).toMatchObject({ expires_at: minutes(60) });
  });

  test('a session is refused while every slot is held, and takes an expired one', () => {
    const both = [held(1), held(2)];
    expect(step(both, 2)).toBeNull();
    expect(step(both, 2, {}, minutes(5))).toMatchObject({
      lease: { lease_id: '00000000ff' },
      before: { expires_at: minutes(5) },
    });
  });

  test('a session of a clock years ahead frees its slot once the clock is right, and renews by its id', () => {
    const [far, end] = [addDays(NOW, 3650), addDays(NOW, 3651)];
    const ahead = held(1, { renewed_at: far, expires_at: end });
    expect(step([ahead], 1, { lease_id: 'lease-1' })?.lease).toMatchObject({ slot: 1, expires_at: minutes(10) });
    expect(step([ahead], 1, {}, far)).toBeNull();
  });

  test('a session keeps its slot by its lease id, even above a lowered limit, but not on another device', () => {
    const lease_id = 'lease-3';
    expect(step([held(3)], 1, { lease_id })?.lease).toMatchObject({ slot: 3, lease_id, expires_at: minutes(10) });
    expect(step([held(3)], 1, { lease_id, device_id: 'phone' })).toBeNull();
  });

  test('a lost session gets another slot with another id if one is free', () => {
    expect(step([held(1)], 2, { lease_id: 'gone' })?.lease).toMatchObject({ slot: 2, lease_id: '00000000ff' });
  });

  test('a session whose response was lost gets the same slot by its nonce, and nobody else does', () => {
    const first = step([], 1, { nonce: 'n'.repeat(22) })?.lease as Lease;
    expect(step([first], 1, { nonce: 'n'.repeat(22), fresh: '0000000001' })?.lease).toEqual(first);
    expect(step([first], 1, { nonce: 'm'.repeat(22) })).toBeNull();
    expect(step([first], 1, { nonce: 'n'.repeat(22), device_id: 'phone' })).toBeNull();
    expect(step([first], 1)).toBeNull();
  });

  test('a borrowed session holds its slot until the end of its borrowing, and its device gets it back without the id', () => {
    const borrowed = step([held(1)], 1, { lease_id: 'lease-1', borrow_days: 3 })?.lease as Lease;
    expect(borrowed).toMatchObject({ slot: 1, lease_id: 'lease-1', expires_at: addDays(NOW, 3) });
    expect(borrowed.borrowed_until).toBe(addDays(NOW, 3));
    expect(step([borrowed], 1, { device_id: 'phone' })).toBeNull();
    expect(step([borrowed], 1)?.lease).toEqual({ ...borrowed, renewed_at: NOW });
  });

  test('a session is no longer borrowed once it is renewed after its borrowing ended', () => {
    const borrowed = held(1, { borrowed_until: minutes(-60) });
    expect(step([borrowed], 1, { lease_id: 'lease-1' })?.lease).not.toHaveProperty('borrowed_until');
  });

  test('a request that is repeated while the first is in progress takes the same slot', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\w-]{22}$/), fc.stringMatching(/^[0-9a-f]{32}$/), (nonce, fresh) => {
        const [first, again] = ['00', fresh]
          .map((id) => ({ nonce, fresh: id }))
          .map((one) => step([held(3)], 9, one)?.lease.slot);
        expect(first).toBe(again);
      }),
    );
  });

  test('a session ends with the access, but never before an earlier token of the same lease', () => {
    const end = minutes(3);
    expect(step([], 1, { borrow_days: 3, slotEnd: () => end })?.lease).toMatchObject({ expires_at: end });
    const renewed = step([held(1)], 1, { lease_id: 'lease-1', slotEnd: () => end });
    expect(renewed?.lease).toMatchObject({ expires_at: minutes(5) });
  });

  test('a device that the policy revokes holds no slot', () => {
    expect(liveLeases([held(1), held(2, { device_id: 'phone' })], ['laptop'], NOW)).toMatchObject([{ slot: 2 }]);
  });
});

test('a license allows at most 1,000 sessions, even without a limit', () => {
  expect([null, 3, 5000].map(sessionLimit)).toEqual([1000, 3, 1000]);
});

test('a session can be borrowed for as many days as the product allows', () => {
  const floating = { slots: 'sessions', borrow_days: 7 } as const;
  expect(judgeLease(floating, 7)).toMatchObject({ ok: true });
  expect(judgeLease(floating, 8)).toMatchObject({ code: 'validation_failed' });
  expect(judgeLease({ slots: 'sessions' }, 1)).toMatchObject({ code: 'validation_failed' });
  expect(judgeLease({}, null)).toMatchObject({ code: 'lease_not_offered' });
});

/** Readers that decide at any moment, and write as if nothing else had happened but to the slot itself. */
test('concurrent sessions never exceed the limit, in any order, while slots above it end', () => {
  const moves = fc.array(
    fc.oneof(
      fc.record({ does: fc.constant('read' as const), reader: fc.nat(3) }),
      fc.record({ does: fc.constant('take' as const), reader: fc.nat(3), pick: fc.nat(20) }),
      fc.record({ does: fc.constant('end' as const), pick: fc.nat(20) }),
    ),
    { maxLength: 60 },
  );
  const slots = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 12 });
  fc.assert(
    fc.property(slots, fc.integer({ min: 0, max: 8 }), moves, (first, limit, all) => {
      const live = new Set(first);
      const read = new Map<number, number[]>();
      let hasTaken = false;
      for (const move of all) {
        const at = [...live];
        if (move.does === 'end') live.delete(at[move.pick % at.length] ?? 0);
        if (move.does === 'read') {
          const leases = at.map((slot) => held(slot));
          read.set(move.reader, freeSlots(leases, limit));
          expect(freeSlots(leases, limit).length > 0).toBe(live.size < limit);
        }
        if (move.does === 'take') {
          const free = read.get(move.reader) ?? [];
          const slot = free[move.pick % free.length];
          if (slot === undefined || live.has(slot)) continue;
          live.add(slot);
          hasTaken = true;
        }
        if (hasTaken) expect(live.size).toBeLessThanOrEqual(limit);
      }
    }),
  );
});
