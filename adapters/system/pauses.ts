import { setTimeout as wait } from 'node:timers/promises';
import { millis } from '../../domain/shared/instant.ts';
import type { Pauses } from '../../ports/outbound/system.ts';

const FIRST_MS = 4;
const LONGEST_MS = 250;

/** `before` waits a random time between zero and a bound that doubles with each attempt ("full jitter"), at most 250 ms. */
export const systemPauses: Pauses = {
  before: async (attempt) => {
    await wait(Math.random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt));
  },
  until: async (moment) => {
    await wait(Math.max(0, millis(moment) - Date.now()));
  },
};
