import { beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { newTrial, type Trial, trialForgottenAt } from '../../domain/licensing/trial.ts';
import type { Trials } from '../../ports/outbound/licensing.ts';
import { type ContractOptions, TIMEOUT } from './clean.ts';

const PERMIT = grantPermit();
const NOW = '2026-11-21T08:00:00.000Z';
const TRIAL = newTrial(4, 14, NOW);

/** Registers the tests that every implementation of Trials must pass. `open` returns an empty one for each test. */
export const trialsContract = (
  name: string,
  open: () => Promise<Trials> | Trials,
  { timeout = TIMEOUT }: ContractOptions = {},
): void => {
  describe(`${name} as trials`, { timeout }, () => {
    let trials: Trials;
    beforeEach(async () => {
      trials = await open();
    }, timeout);

    const find = (device_id = 'laptop', now = NOW) => trials.find(4, device_id, now);
    const start = async (device_id = 'laptop', trial: Trial = TRIAL) =>
      trials.start(PERMIT, device_id, trial, await find(device_id, trial.started_at));
    const november = async () => (await trials.months(4, ['2026-11']))[0];

    test('a device without a trial has none, and a started one is found only by its device and product', async () => {
      expect(await find()).toEqual({ trial: undefined, version: null });
      expect(await start()).toBe(true);
      expect((await find()).trial).toEqual(TRIAL);
      expect((await find('tablet')).trial).toBeUndefined();
      expect((await trials.find(5, 'laptop', NOW)).trial).toBeUndefined();
    });

    test('of twenty simultaneous starts on the same read, one starts the trial, which is counted once', async () => {
      const read = await find();
      const started = await Promise.all(
        Array.from({ length: 20 }, (_, n) => trials.start(PERMIT, 'laptop', newTrial(4, n + 1, NOW), read)),
      );
      expect(started.filter(Boolean)).toHaveLength(1);
      expect((await find()).trial).toEqual(newTrial(4, started.indexOf(true) + 1, NOW));
      expect(await november()).toEqual({ month: '2026-11', started: 1, converted: 0 });
    });

    test('of ten simultaneous conversions, one is stored and counted once', async () => {
      await start();
      const read = await find();
      const converted = { ...TRIAL, converted_at: NOW };
      await Promise.all(Array.from({ length: 10 }, () => trials.convert(PERMIT, 'laptop', converted, read)));
      expect((await find()).trial).toEqual(converted);
      expect(await november()).toEqual({ month: '2026-11', started: 1, converted: 1 });
    });

    test('trials are counted by product and by the month of their start', async () => {
      await start('a');
      await start('b');
      await start('c', newTrial(4, 14, '2026-12-01T00:00:00.000Z'));
      await trials.start(PERMIT, 'a', newTrial(5, 14, NOW), await trials.find(5, 'a', NOW));
      expect(await trials.months(4, ['2026-12', '2026-11', '2026-10'])).toEqual([
        { month: '2026-12', started: 1, converted: 0 },
        { month: '2026-11', started: 2, converted: 0 },
        { month: '2026-10', started: 0, converted: 0 },
      ]);
    });

    test('a trial that changed since the read is not updated', async () => {
      await start();
      const read = await find();
      const longer = { ...TRIAL, ends_at: '2027-01-01T00:00:00.000Z' };
      expect(await trials.revise(PERMIT, 'laptop', longer, read)).toBe(true);
      expect(await trials.revise(PERMIT, 'laptop', TRIAL, read)).toBe(false);
      expect((await find()).trial).toEqual(longer);
    });

    test('a deleted trial counts as none, and its device can start another', async () => {
      await start();
      const later = trialForgottenAt(TRIAL);
      expect((await find('laptop', later)).trial).toBeUndefined();
      expect(await start('laptop', newTrial(4, 14, later))).toBe(true);
      expect((await find('laptop', later)).trial).toEqual(newTrial(4, 14, later));
    });
  });
};
