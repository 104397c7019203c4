import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Instant, millis, toInstant } from '../../../domain/shared/instant.ts';
import {
  awaitsDecision,
  DEVICE_CLIENTS,
  type DeviceSignIn,
  decided,
  deviceClient,
  deviceName,
  judgePoll,
  keyInputOf,
  newDeviceSignIn,
} from '../../../domain/sign-in/device-sign-in.ts';
import { aProduct, NOW } from '../../support/builders.ts';

const cli = DEVICE_CLIENTS[0]!;
const later = (seconds: number): Instant => toInstant(millis(NOW) + seconds * 1000);
const aSignIn = (overrides: Partial<DeviceSignIn> = {}): DeviceSignIn => ({
  ...newDeviceSignIn({ hash: 'h', user_code_hash: 'u' }, cli, { device_id: 'laptop', name: 'Laptop' }, NOW),
  ...overrides,
});

describe('the poll of a waiting device', () => {
  test('a device may poll at once, and then every five seconds', () => {
    const first = judgePoll(aSignIn(), 'cli', NOW);
    expect(first).toMatchObject({ verdict: 'pending', next: { polled_at: NOW, interval: 5 } });
    expect(judgePoll(aSignIn({ polled_at: NOW }), 'cli', later(5))).toMatchObject({ verdict: 'pending' });
    expect(judgePoll(aSignIn({ polled_at: NOW }), 'cli', later(4.5))).toMatchObject({ verdict: 'pending' });
  });

  test('a poll that comes too soon adds five seconds to the interval', () => {
    expect(judgePoll(aSignIn({ polled_at: NOW }), 'cli', later(4))).toMatchObject({
      verdict: 'slow_down',
      next: { interval: 10, polled_at: later(4) },
    });
    expect(judgePoll(aSignIn({ polled_at: NOW, interval: 10 }), 'cli', later(5))).toMatchObject({
      verdict: 'slow_down',
      next: { interval: 15 },
    });
  });

  test('a decision is returned at once, even to a poll that comes too soon', () => {
    const decidedOn = { polled_at: NOW, account_id: 7 };
    expect(judgePoll(aSignIn({ ...decidedOn, state: 'approved' }), 'cli', NOW)).toEqual({
      verdict: 'approved',
      account_id: 7,
    });
    expect(judgePoll(aSignIn({ ...decidedOn, state: 'denied' }), 'cli', NOW)).toEqual({ verdict: 'denied' });
  });

  test('a sign-in has expired 15 minutes after its beginning, even an approved one', () => {
    const approved = aSignIn({ state: 'approved', account_id: 7 });
    expect(judgePoll(approved, 'cli', later(15 * 60 - 0.001))).toMatchObject({ verdict: 'approved' });
    expect(judgePoll(approved, 'cli', later(15 * 60))).toEqual({ verdict: 'expired' });
  });

  test('an unknown sign-in and that of another client get the same answer', () => {
    expect(judgePoll(undefined, 'cli', NOW)).toEqual({ verdict: 'expired' });
    expect(judgePoll(aSignIn({ state: 'approved', account_id: 7 }), 'cloud-apps', NOW)).toEqual({ verdict: 'expired' });
  });

  test('a device that waits as told is never slowed down', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { maxLength: 30 }), (waits) => {
        let signIn = aSignIn();
        let now = NOW;
        for (const more of waits) {
          now = toInstant(millis(now) + (signIn.polled_at === null ? 0 : signIn.interval + more) * 1000);
          const judged = judgePoll(signIn, 'cli', now);
          if (judged.verdict === 'expired') return;
          expect(judged.verdict).toBe('pending');
          if ('next' in judged) signIn = judged.next;
        }
      }),
    );
  });

  test('the interval never shrinks, and grows only by five seconds with each slow_down', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 12_000 }), { maxLength: 30 }), (waits) => {
        let signIn = aSignIn();
        let now = NOW;
        for (const wait of waits) {
          now = toInstant(millis(now) + wait);
          const judged = judgePoll(signIn, 'cli', now);
          if (!('next' in judged)) return;
          expect(judged.next.interval - signIn.interval).toBe(judged.verdict === 'slow_down' ? 5 : 0);
          signIn = judged.next;
        }
      }),
    );
  });
});

describe('a decision about a device', () => {
  test('a device awaits a decision until one is made or the sign-in expires', () => {
    expect(awaitsDecision(aSignIn(), later(15 * 60 - 1))).toBe(true);
    expect(awaitsDecision(aSignIn(), later(15 * 60))).toBe(false);
    expect(awaitsDecision(decided(aSignIn(), 7, 'approve', null), NOW)).toBe(false);
    expect(awaitsDecision(decided(aSignIn(), 7, 'deny', null), NOW)).toBe(false);
  });

  test('a name that the person enters replaces the device’s own, and the device id stays', () => {
    expect(decided(aSignIn(), 7, 'approve', ' Work  laptop ').device).toEqual({
      device_id: 'laptop',
      name: 'Work  laptop',
    });
    expect(decided(aSignIn(), 7, 'approve', '  ').device.name).toBe('Laptop');
  });

  test('the key of a device has the device’s name, or its client’s', () => {
    expect(keyInputOf(aSignIn(), 7)).toEqual({
      account_id: 7,
      name: 'Laptop',
      device: { client: 'cli', device: { device_id: 'laptop', name: 'Laptop' } },
      asked_at: aSignIn().created_at,
    });
    expect(keyInputOf(aSignIn({ device: { device_id: 'x', name: null } }), 7).name).toBe('Command-line client');
  });

  test('the name of a device is one line of at most 255 characters', () => {
    expect(deviceName('a\nb\u2028c\u0000')).toBe('a b c');
    expect(deviceName('\n\t ')).toBeNull();
    expect(deviceName(null)).toBeNull();
    expect(deviceName('😀'.repeat(300))).toBe('😀'.repeat(255));
  });
});

test('the clients of device sign-in are the two specified ones, and the published applications by their bundle ids', () => {
  const memo = aProduct({ bundle_id: 'com.example.memo', name: { en: 'Memo', ko: '메모' } });
  const apps = new Map([
    ['com.example.memo', memo],
    ['com.example.secret', aProduct({ bundle_id: 'com.example.secret', published: false })],
    ['cli', memo],
  ]);
  expect(deviceClient('com.example.memo', apps)).toEqual({ id: 'com.example.memo', name: memo.name });
  expect(deviceClient('com.example.secret', apps)).toBeUndefined();
  expect(deviceClient('cli', apps)).toBe(cli);
  expect(DEVICE_CLIENTS.map(({ id }) => id)).toEqual(['cli', 'cloud-apps']);
  expect(deviceClient('toString', new Map())).toBeUndefined();
});
