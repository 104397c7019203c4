import { beforeEach, describe } from 'vitest';
import type { Devices } from '../../ports/outbound/devices.ts';
import { type ContractOptions, TIMEOUT } from './clean.ts';
import { continuation } from './devices/continuation.ts';
import { lists } from './devices/lists.ts';
import { races } from './devices/races.ts';
import { seenVersions } from './devices/seen-versions.ts';
import { slots } from './devices/slots.ts';

/**
 * Registers the tests that every implementation of `Devices` must pass; call it at the top of a Vitest file. `open`
 * returns an empty one; it is called before each test. Two concurrent calls must be able to meet inside the
 * implementation; otherwise the tests of races are meaningless.
 */
export const devicesContract = (
  name: string,
  open: () => Promise<Devices> | Devices,
  { timeout = TIMEOUT }: ContractOptions = {},
): void => {
  describe(`${name} as devices`, { timeout }, () => {
    let devices: Devices;
    const use = () => devices;
    beforeEach(async () => {
      devices = await open();
    }, timeout);

    describe('slots', () => slots(use));
    describe('races', () => races(use));
    describe('lists', () => lists(use));
    describe('versions and ids', () => seenVersions(use));
    describe('continuation', () => continuation(use));
  });
};
