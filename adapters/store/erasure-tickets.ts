import type { Permit } from '../../domain/access/permit.ts';
import { erasedTicket } from '../../domain/support/ticket.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import { emptied } from './emptied.ts';
import { SHARDS } from './keys/shared.ts';
import { supportKeys } from './keys/support.ts';
import { allItems, allRecords } from './records.ts';
import type { Table } from './table.ts';
import type { ItemEntry } from './table-dump.ts';

/** The partition of all that belongs to a ticket. */
const partsOf = (id: number) => ({ pk: supportKeys.ticketFiles(id).pk });

const objectKeyOf = (data: object): string | undefined => ('object_key' in data ? String(data.object_key) : undefined);

/** The tickets of an account, and the objects of their files that tickets of other accounts name too. */
export class ErasedTickets {
  readonly ids: readonly number[];
  readonly #partitions: ReadonlySet<string>;
  readonly #objects: ReadonlySet<string>;
  readonly #shared = new Set<string>();

  constructor(ids: readonly number[], objects: ReadonlySet<string>) {
    this.ids = ids;
    this.#partitions = new Set(ids.map((id) => partsOf(id).pk));
    this.#objects = objects;
  }

  /** Takes notice of an item of the store, which may name one of the objects. */
  note({ pk, data }: ItemEntry): void {
    const key = objectKeyOf(data);
    if (key !== undefined && this.#objects.has(key) && !this.#partitions.has(pk)) this.#shared.add(key);
  }

  isShared(objectKey: string): boolean {
    return this.#shared.has(objectKey);
  }
}

/** The tickets of an account. Tickets lie by their ids, so that all of the store are looked at. */
export const findTickets = async (table: Table, accountId: number): Promise<ErasedTickets> => {
  const ids: number[] = [];
  for (let shard = 0; shard < SHARDS; shard++) {
    for await (const { data } of allItems(table, supportKeys.tickets(shard))) {
      if (data.account_id === accountId) ids.push(data.id);
    }
  }
  const objects = new Set<string>();
  for (const id of ids) {
    for (const { object_key } of await allRecords(table, supportKeys.ticketFiles(id))) objects.add(object_key);
  }
  return new ErasedTickets(ids, objects);
};

/**
 * Erases the text, the details and the files of a ticket, or counts them where there is no permit. An object goes
 * before the record that names it, so that a call that broke off can be repeated.
 */
export const eraseTicket = async (
  { table, objects }: { readonly table: Table; readonly objects: ObjectStore },
  permit: Permit | null,
  id: number,
  tickets: ErasedTickets,
): Promise<{ readonly texts: 0 | 1; readonly files: number }> => {
  let files = 0;
  for await (const item of allItems(table, partsOf(id))) {
    const key = objectKeyOf(item.data);
    if (key !== undefined) files += 1;
    if (permit === null) continue;
    if (key !== undefined && !tickets.isShared(key)) await objects.remove(permit, key);
    await table.remove(item);
  }
  return { texts: await emptied(table, permit, supportKeys.ticket(id), erasedTicket), files };
};
