import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type HeldDevice, newDevice, refuseSeat, seatStep } from '../../../domain/devices/seat.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { aDevice, NOW } from '../../support/builders.ts';

const NEWCOMER = newDevice('new', null, NOW);
const taken = (used: number, held: readonly HeldDevice[] = []) => ({ used, held });

describe('a device seen for the first time', () => {
  test('a new device gets the name of the device that its caller signed in on, and of no other', () => {
    const signedInOn = { device_id: 'mine', name: 'Studio Mac' };
    expect(newDevice('mine', signedInOn, NOW)).toEqual({
      device_id: 'mine',
      name: 'Studio Mac',
      activated_at: NOW,
      last_seen_at: NOW,
      revoked_at: null,
    });
    expect(newDevice('other', signedInOn, NOW).name).toBeNull();
  });
});

describe('the slot of a device', () => {
  test('a device slot keeps the latest reported platform', () => {
    const seen = aDevice({ device_id: 'new', last_seen_at: addDays(NOW, -1), platform: 'darwin-arm64' });
    const platforms = (['windows-amd64', null] as const).map((platform) => {
      const step = seatStep(seen, taken(1), newDevice('new', null, NOW, undefined, { platform }), 2);
      return step.step === 'full' ? step : step.device.platform;
    });
    expect(platforms).toEqual(['windows-amd64', 'darwin-arm64']);
  });

  test('a device slot keeps the version of the day’s first check, or an earlier one if the check sends none', () => {
    const seen = aDevice({ device_id: 'new', last_seen_at: addDays(NOW, -1), app_version: '1.0.0' });
    const versions = (['2.0.0', null] as const).map((app_version) => {
      const step = seatStep(seen, taken(1), newDevice('new', null, NOW, undefined, { app_version }), 2);
      return step.step === 'full' ? step : step.device.app_version;
    });
    expect(versions).toEqual(['2.0.0', '1.0.0']);
  });

  test('a device slot is updated at most once a day', () => {
    const seen = aDevice({ device_id: 'new' });
    expect(seatStep(seen, taken(2), NEWCOMER, 2)).toEqual({ step: 'keep', device: seen, used: 2, continuation: null });
    const unseen = aDevice({ device_id: 'new', last_seen_at: addDays(NOW, -1) });
    expect(seatStep(unseen, taken(2), NEWCOMER, 2)).toEqual({
      step: 'touch',
      device: { ...unseen, last_seen_at: NOW },
      used: 2,
      continuation: null,
    });
  });

  test('a device takes a slot while one is free', () => {
    expect(seatStep(undefined, taken(1), NEWCOMER, 2)).toEqual({
      step: 'take',
      device: NEWCOMER,
      used: 2,
      continuation: null,
    });
    expect(seatStep(undefined, taken(1), NEWCOMER, 1)).toEqual({ step: 'full' });
  });

  test('a device never takes a slot beyond the limit, and never loses the one that it has', () => {
    const limit = fc.option(fc.nat(5));
    fc.assert(
      fc.property(fc.nat(6), limit, fc.boolean(), (used, most, holds) => {
        const device = holds ? aDevice({ device_id: 'new' }) : undefined;
        const seat = seatStep(device, taken(used), NEWCOMER, most);
        if (holds) expect(seat).toEqual({ step: 'keep', device, used, continuation: null });
        else expect(seat.step).toBe(most === null || used < most ? 'take' : 'full');
      }),
    );
  });

  test('the slot of a released device is held until its offline file ends and is free afterwards', () => {
    const held = (device_id: string, offline_until: string) => ({
      ...aDevice({ device_id, offline_until }),
      offline_until,
      released_at: addDays(NOW, -1),
    });
    const running = held('other', addDays(NOW, 1));
    expect(seatStep(undefined, taken(1, [running]), NEWCOMER, 2)).toEqual({ step: 'full' });
    expect(seatStep(undefined, taken(1, [held('other', NOW)]), NEWCOMER, 2)).toMatchObject({ step: 'take', used: 2 });
    const own = held('new', addDays(NOW, 9));
    expect(seatStep(undefined, taken(1, [own]), NEWCOMER, 2)).toEqual({
      step: 'take',
      device: { ...NEWCOMER, offline_until: addDays(NOW, 9) },
      used: 2,
      continuation: null,
    });
    expect(seatStep(undefined, taken(2, [own]), NEWCOMER, 2)).toEqual({ step: 'full' });
  });

  test('the later end of two offline files holds the slot', () => {
    const input = newDevice('new', null, NOW, addDays(NOW, 5));
    const device = aDevice({ device_id: 'new', offline_until: addDays(NOW, 3) });
    const held = { ...device, offline_until: addDays(NOW, 5) };
    expect(seatStep(device, taken(1), input, 1)).toEqual({ step: 'hold', device: held, used: 1 });
    const longer = { ...device, offline_until: addDays(NOW, 7) };
    expect(seatStep(longer, taken(1), input, 1)).toEqual({ step: 'keep', device: longer, used: 1, continuation: null });
  });

  test('a refused device gets a list of the devices that hold the slots', () => {
    expect(refuseSeat(1, 2, [aDevice({ name: 'Mac' })], 'https://manage', NOW)).toEqual({
      ok: false,
      code: 'device_limit_reached',
      message: 'The only device of this license is in use; release it, then check again.',
      ko: '사용할 수 있는 기기 1대를 모두 사용하고 있습니다. 한 대를 해제한 뒤 다시 확인해 주세요.',
      data: {
        code: 'device_limit_reached',
        devices: [
          {
            device_id: 'device-1',
            name: 'Mac',
            activated_at: NOW,
            last_seen_at: NOW,
            offline_until: null,
            released_at: null,
            shared_at: null,
          },
        ],
        device: null,
        devices_used: 2,
        device_limit: 1,
        manage_url: 'https://manage',
      },
    });
  });

  test.each([
    [0, 'en', 'This license allows no device.'],
    [2, 'en', 'All 2 devices are in use; release one, then check again.'],
    [21, 'en', 'All 21 devices are in use; release one, then check again.'],
    [null, 'en', 'All 100000 devices are in use; release one, then check again.'],
    [0, 'ko', '이 라이선스로 사용할 수 있는 기기가 없습니다.'],
    [2, 'ko', '사용할 수 있는 기기 2대를 모두 사용하고 있습니다. 한 대를 해제한 뒤 다시 확인해 주세요.'],
  ] as const)('that is refused by a license for %s devices is told so (%s)', (limit, locale, message) => {
    expect(refuseSeat(limit, 0, [], '', NOW)).toMatchObject({ [locale === 'en' ? 'message' : locale]: message });
  });

  test('a device that is refused because of offline files learns the day on which a slot is free', () => {
    const filed = [3, 1, 2].map((days) => aDevice({ device_id: `d${days}`, offline_until: addDays(NOW, days) }));
    const says = (limit: number, devices = filed) => refuseSeat(limit, 3, devices, '', NOW).message;
    const free = (days: number) => `One is free from ${addDays(NOW, days).slice(0, 10)} on`;
    expect([says(3), says(2)]).toEqual([expect.stringContaining(free(1)), expect.stringContaining(free(2))]);
    expect(says(0)).toBe('This license allows no device.');
    const ended = aDevice({ offline_until: NOW });
    expect(says(3, [...filed.slice(1), ended])).toContain('release one');
  });
});
