import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Permit } from '../../domain/access/permit.ts';
import { awaits, millis, toInstant } from '../../domain/shared/instant.ts';
import type { KeyUse } from '../../domain/signing/key-use.ts';
import type { Clock } from '../../ports/outbound/system.ts';
import { firstStartKey, madeKey, storeIdKey } from './keys/store.ts';
import { itemOf } from './records.ts';
import { OnTable } from './repository.ts';
import type { TypedTable } from './typed-table.ts';

/** The id of the store, created at its first use and shared by its copies. */
export const ensureStoreId = async (_permit: Permit, table: TypedTable): Promise<string> => {
  await table.put(itemOf(storeIdKey, { id: randomUUID() }), { absent: true });
  const found = await table.get(storeIdKey);
  if (!found) throw new Error('The store has lost its id meanwhile; run the command again.');
  return found.data.id;
};

/**
 * Records for which uses the store ever had a key, so that a store with lost key files is not mistaken for a new shop.
 */
export class StoredMadeKeys extends OnTable {
  async has(use: KeyUse): Promise<boolean> {
    return (await this.table.get(madeKey(use))) !== undefined;
  }

  async add(use: KeyUse): Promise<void> {
    if (!(await this.has(use))) await this.table.put(itemOf(madeKey(use), { use }), { absent: true });
  }
}

/** The milliseconds after which the claim of a dead process is free. */
const CLAIM_MS = 60_000;

const RETRY_MS = 100;

/** Serializes the first start's work across processes and machines, and remembers one that was interrupted. */
export class FirstStartClaim {
  readonly #table: TypedTable;
  readonly #clock: Clock;

  constructor(table: TypedTable, clock: Clock) {
    this.#table = table;
    this.#clock = clock;
  }

  /** True while a process does the work, and after one was ended in the middle of it. */
  async isOpen(): Promise<boolean> {
    return (await this.#table.get(firstStartKey)) !== undefined;
  }

  /**
   * Runs the work once no other process is running it. The work learns whether an earlier one was interrupted. The
   * claim of a dead process is free after a minute, that of failed work at once. `waits` is called before each retry
   * while another process has the claim, and may end the waiting by an error.
   */
  async alone<T>(work: (interrupted: boolean) => Promise<T>, waits: (retry: number) => void = () => {}): Promise<T> {
    let claim = await this.#take();
    for (let retry = 0; claim === undefined; retry++) {
      waits(retry);
      await wait(RETRY_MS);
      claim = await this.#take();
    }
    const { version, interrupted } = claim;
    try {
      const value = await work(interrupted);
      await this.#table.remove(firstStartKey, { version });
      return value;
    } catch (error) {
      await this.#table.put(itemOf(firstStartKey, { until: this.#clock.now() }), { version }).catch(() => {});
      throw error;
    }
  }

  /** The claim; undefined if another process has it. */
  async #take(): Promise<{ readonly version: string; readonly interrupted: boolean } | undefined> {
    const now = this.#clock.now();
    const claim = itemOf(firstStartKey, { until: toInstant(millis(now) + CLAIM_MS) });
    const before = await this.#table.get(firstStartKey);
    if (before && awaits(before.data.until, now)) return undefined;
    const taken = await this.#table.put(claim, before ? { version: before.version } : { absent: true });
    const version = taken ? (await this.#table.get(firstStartKey))?.version : undefined;
    return version === undefined ? undefined : { version, interrupted: before !== undefined };
  }
}
