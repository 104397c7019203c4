import { setTimeout as wait } from 'node:timers/promises';
import { hasPassed, millis, toInstant } from '../../domain/shared/instant.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import { expiryAt } from './expiry.ts';
import { itemOf } from './item-of.ts';
import { firstStartKey } from './keys/operations.ts';
import type { Table } from './table.ts';

/** Milliseconds after which the claim of a process that died is free. */
const CLAIM_MS = 60_000;

const RETRY_MS = 100;

/** Lets one process after the other do the work of a first start, on whatever machine they run. */
export class FirstStartClaim {
  readonly #table: Table;
  readonly #clock: Clock;

  constructor(table: Table, clock: Clock) {
    this.#table = table;
    this.#clock = clock;
  }

  /**
   * Does the work as soon as no other process does its own. The claim of a process that died ends after a minute, so
   * the work has to look first at what is done already.
   */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    let version = await this.#take();
    while (version === undefined) {
      await wait(RETRY_MS);
      version = await this.#take();
    }
    try {
      return await work();
    } finally {
      await this.#table.remove(firstStartKey, { version });
    }
  }

  /** The version of the claim; undefined while another process has it. */
  async #take(): Promise<string | undefined> {
    const now = this.#clock.now();
    const until = toInstant(millis(now) + CLAIM_MS);
    const claim = itemOf(firstStartKey, { until }, expiryAt(until));
    const before = await this.#table.get(firstStartKey);
    if (before && !hasPassed(before.data.until, now)) return undefined;
    const taken = await this.#table.put(claim, before ? { version: before.version } : { absent: true });
    return taken ? (await this.#table.get(firstStartKey))?.version : undefined;
  }
}
