import type { Permit } from '../../domain/access/permit.ts';
import {
  type InstallRecord,
  installForgottenAt,
  type UsageDay,
  type Use,
  usageForgottenAt,
  withUse,
} from '../../domain/devices/usage.ts';
import type { Installs, KnownUses, ProductUses, Usage } from '../../ports/outbound/devices.ts';
import { expiryAt } from './expiry.ts';
import { deviceKeys } from './keys/devices.ts';
import { allItems, chunksOf, ifUnchanged, itemOf } from './records.ts';
import { OnTable } from './repository.ts';

/** The number of rows written concurrently. */
const AT_ONCE = 25;

/**
 * Stores one record for each day, product and key of an account, until 400 days after its day. Rows are written one by
 * one, because a transaction would cost twice as much: no row depends on another, and repeating a write replaces the
 * row.
 */
export class StoredUsage extends OnTable implements Usage {
  async save(_permit: Permit, account_id: number, key_id: number, days: readonly UsageDay[]): Promise<void> {
    const items = days.map(({ commands, ...day }) =>
      itemOf(
        deviceKeys.usage(account_id, day.product_id, day.usage_date, key_id),
        { ...day, key_id, ...(commands && { commands: JSON.stringify(commands) }) },
        expiryAt(usageForgottenAt(day)),
      ),
    );
    for (const chunk of chunksOf(items, AT_ONCE)) await Promise.all(chunk.map((item) => this.table.put(item)));
  }

  async *list(
    account_id: number,
    { product_id, since }: NonNullable<Parameters<Usage['list']>[1]> = { product_id: null, since: null },
  ): AsyncGenerator<UsageDay & { key_id: number }> {
    const rows =
      product_id === null ? deviceKeys.usages(account_id) : deviceKeys.usagesOf(account_id, product_id, since ?? '');
    for await (const { data } of allItems(this.table, rows)) {
      if (since !== null && data.usage_date < since) continue;
      const { commands, ...day } = data;
      yield commands === undefined ? day : { ...day, commands: JSON.parse(commands) };
    }
  }
}

/** Stores the installs that an account's devices reported for 400 days, by their ids, which grow with time. */
export class StoredInstalls extends OnTable implements Installs {
  async record(_permit: Permit, install: InstallRecord): Promise<void> {
    const key = deviceKeys.install(install.account_id, install.id);
    await this.table.put(itemOf(key, install, expiryAt(installForgottenAt(install))));
  }

  async *list(account_id: number): AsyncGenerator<InstallRecord> {
    for await (const item of allItems(this.table, { ...deviceKeys.installs(account_id), descending: true }))
      yield item.data;
  }
}

/**
 * Stores one item for each account and product, so that the number of items grows with the catalog and not with use.
 */
export class StoredProductUses extends OnTable implements ProductUses {
  async of(account_id: number): Promise<KnownUses> {
    const items = await Array.fromAsync(allItems(this.table, deviceKeys.uses(account_id)));
    return new Map(items.map(({ data, version }) => [data.product_id, { use: data, version }]));
  }

  async note(_permit: Permit, account_id: number, known: KnownUses, uses: readonly Use[]): Promise<void> {
    await Promise.all(uses.map((use) => this.#note(account_id, known, use)));
  }

  async #note(account_id: number, known: KnownUses, use: Use): Promise<void> {
    const before = known.get(use.product_id);
    const noted = withUse(before?.use, use);
    const key = deviceKeys.use(account_id, use.product_id);
    if (noted) await this.table.put(itemOf(key, noted), ifUnchanged(before?.version ?? null));
  }
}
