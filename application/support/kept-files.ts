import type { Permit } from '../../domain/access/permit.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { type TicketFile, ticketFile } from '../../domain/support/ticket.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { ReceivedFile } from '../shared/files.ts';

/** The file of a report, which is stored before the ticket that names it, and maybe in several attempts. */
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

  /** Stores the bytes, and returns the file as the report with a number has it; null where no file came. */
  async keep(number: number, now: Instant): Promise<TicketFile | null> {
    if (!this.#received) return null;
    const file = ticketFile(this.#received, number, now);
    const { object_key, sha256, size } = file;
    const { created } = await this.#objects.put(this.#permit, object_key, this.#received.open(), { sha256, size });
    if (created) this.#made.add(object_key);
    return file;
  }

  /** Removes the objects that were made for the report. One that was there before may be another ticket's. */
  async removeMade(): Promise<void> {
    await Promise.all([...this.#made].map((key) => this.#objects.remove(this.#permit, key)));
  }
}
