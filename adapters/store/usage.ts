import type { InstallRecord } from '../../domain/devices/install-record.ts';
import type { UsageDay } from '../../domain/devices/usage.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { Installs, Usage } from '../../ports/outbound/usage.ts';
import { keys } from './keys.ts';
import { allItems } from './records.ts';
import type { NewItem, Table } from './table.ts';

/** The most writes that a transaction takes. */
const BATCH = 100;

/** Installs on one page of the latest. */
const LATEST = 25;

export class StoredUsage implements Usage {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async save(accountId: number, keyId: number, days: readonly UsageDay[]): Promise<void> {
    const items = days.map(
      (day): NewItem => ({
        ...keys.usage(accountId, day.product_id, day.usage_date, keyId),
        data: { ...day, key_id: keyId },
      }),
    );
    if (items.length === 1) {
      await this.#table.put(items[0] as NewItem);
      return;
    }
    for (let at = 0; at < items.length; at += BATCH) {
      await this.#table.transact(items.slice(at, at + BATCH).map((put) => ({ put })));
    }
  }

  async *list(accountId: number): AsyncGenerator<UsageDay & { key_id: number }> {
    for await (const item of allItems(this.#table, keys.usages(accountId))) yield item.data;
  }
}

export class StoredInstalls implements Installs {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async record(install: InstallRecord): Promise<void> {
    await this.#table.put({ ...keys.install(install.account_id, install.id), data: install });
  }

  async *list(accountId: number): AsyncGenerator<InstallRecord> {
    for await (const item of allItems(this.#table, keys.installs(accountId))) yield item.data;
  }

  /** From the latest on, a few at a time, for an account may have recorded installs for years. */
  async since(accountId: number, moment: Instant): Promise<InstallRecord[]> {
    const found: InstallRecord[] = [];
    const latest = { ...keys.installs(accountId), descending: true, limit: LATEST };
    for await (const item of allItems(this.#table, latest)) {
      const install: InstallRecord = item.data;
      if (install.recorded_at < moment) break;
      found.push(install);
    }
    return found;
  }
}
