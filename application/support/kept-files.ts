import type { Permit } from '../../domain/access/permit.ts';
import { FILE_BYTES_A_DAY, type TicketFile } from '../../domain/support/ticket.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { ReceivedFile } from '../shared/files.ts';

/** The file of a report or a reply. It is stored before the record that names it, possibly in several attempts. */
export class KeptFiles {
  readonly #objects: ObjectStore;
  readonly #permit: Permit;
  readonly #received: ReceivedFile | null;
  readonly #made = new Set<string>();

  constructor(objects: ObjectStore, permit: Permit, received: ReceivedFile | null) {
    this.#objects = objects;
    this.#permit = permit;
    this.#received = received;
  }

  /**
   * Stores the bytes of the received file under the record that `asKept` returns, and returns that record; null if
   * there is no file.
   */
  async keep(asKept: (received: ReceivedFile) => TicketFile): Promise<TicketFile | null> {
    if (!this.#received) return null;
    const file = asKept(this.#received);
    const { object_key, sha256, size } = file;
    const { created } = await this.#objects.put(this.#permit, object_key, this.#received.open(), { sha256, size });
    if (created) this.#made.add(object_key);
    return file;
  }

  /** Removes the created objects. An object that existed before may belong to another ticket. */
  async removeMade(): Promise<void> {
    await Promise.all([...this.#made].map((key) => this.#objects.remove(this.#permit, key)));
  }
}

/** The file, unless the account's files of today exceed the daily size. */
export const withinDay = async (
  { tickets, clock }: Needs<'clock' | 'tickets'>,
  permit: Permit,
  account_id: number,
  file: ReceivedFile | null,
): Promise<ReceivedFile | null> => {
  if (!file) return null;
  const sent = await tickets.countFileBytes(permit, account_id, file.size, clock.now());
  return sent > FILE_BYTES_A_DAY ? null : file;
};
