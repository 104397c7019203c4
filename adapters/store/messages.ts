import type { Permit } from '../../domain/access/permit.ts';
import type { AuditEntry } from '../../domain/audit/entry.ts';
import type { Device } from '../../domain/devices/seat.ts';
import { DAYS_KEPT_FAILED, type Message, messageOf, type NewMessage, newMessage } from '../../domain/mail/message.ts';
import { addDays, type Instant } from '../../domain/shared/instant.ts';
import type { Messages, TakenMessage } from '../../ports/outbound/mail.ts';
import type { Clock, Ids } from '../../ports/outbound/system.ts';
import { expiryAt } from './expiry.ts';
import { emailOf } from './keys/accounts.ts';
import { isAuditEntry } from './keys/audit.ts';
import { deviceOwnerOf } from './keys/devices.ts';
import { mailKeys } from './keys/mail.ts';
import { firstItems, itemOf } from './records.ts';
import type { Table, Write } from './table.ts';
import type { TypedTable } from './typed-table.ts';

type Parts = { readonly clock: Clock; readonly messageIds: Ids };

const subjectOf = (write: Write): NewMessage | undefined => {
  if (!('put' in write)) return undefined;
  const { put, condition } = write;
  if (isAuditEntry(put)) return messageOf(put.data as AuditEntry);
  const owner = condition && 'absent' in condition ? deviceOwnerOf(put) : undefined;
  return owner && { kind: 'device', ...owner, subject_id: (put.data as Device).device_id };
};

/** The address that an account gives up in a transaction; null for none. */
const formerEmailOf = (writes: readonly Write[]): string | null => {
  for (const write of writes) {
    const email = 'remove' in write ? emailOf(write.remove) : undefined;
    if (email !== undefined) return email;
  }
  return null;
};

/**
 * The table, whose transactions also write the messages that they cause: one for an entry of the audit log that tells
 * something to the buyer, and one for a new device. So no repository knows of mail, and no message exists without its
 * change.
 */
export const withMessages = (table: Table, { clock, messageIds }: Parts): Table => {
  const messagesOf = (write: Write, _: number, writes: readonly Write[]): Write[] => {
    const about = subjectOf(write);
    if (!about) return [];
    // The former address is told of its end. An address that changed its letters' case alone is the same.
    const email = about.kind === 'email_changed' ? formerEmailOf(writes) : null;
    if (about.kind === 'email_changed' && email === null) return [];
    const message = newMessage(messageIds.next(), { ...about, email }, clock.now());
    return [{ put: itemOf(mailKeys.message(message), message), condition: { absent: true } }];
  };
  return {
    get: table.get.bind(table),
    getMany: table.getMany.bind(table),
    query: table.query.bind(table),
    put: table.put.bind(table),
    remove: table.remove.bind(table),
    increment: table.increment.bind(table),
    transact: (writes, options) => table.transact([...writes, ...writes.flatMap(messagesOf)], options),
    ping: table.ping.bind(table),
    close: table.close.bind(table),
  };
};

/** The messages in the order in which they are due. A message that is taken or rests moves to its new moment. */
export class StoredMessages implements Messages {
  readonly #parts: Parts & { readonly table: TypedTable };

  constructor(parts: Parts & { readonly table: TypedTable }) {
    this.#parts = parts;
  }

  async add(_permit: Permit, about: Parameters<Messages['add']>[1]): Promise<void> {
    const { table, clock, messageIds } = this.#parts;
    const message = newMessage(messageIds.next(), about, clock.now());
    await table.put(itemOf(mailKeys.message(message), message));
  }

  async take(_permit: Permit, now: Instant, until: Instant): Promise<TakenMessage | 'none' | 'lost'> {
    const { table } = this.#parts;
    const next = (first: boolean) => firstItems(table, { ...mailKeys.due(now, first), consistent: true }, 1);
    const [item] = [...(await next(true)), ...(await next(false))];
    if (!item) return 'none';
    const message: Message = { ...item.data, attempts: item.data.attempts + 1, due_at: until };
    if (!(await this.#move({ message: item.data, version: item.version }, message))) return 'lost';
    const taken = await table.get(mailKeys.message(message), { consistent: true });
    return taken ? { message, version: taken.version } : 'lost';
  }

  release(_permit: Permit, taken: TakenMessage, due_at: Instant, fault: string): Promise<boolean> {
    return this.#move(taken, { ...taken.message, due_at, fault });
  }

  fail(_permit: Permit, { message, version }: TakenMessage, fault: string, now: Instant): Promise<boolean> {
    const expiry = expiryAt(addDays(now, DAYS_KEPT_FAILED));
    return this.#parts.table.transact([
      { remove: mailKeys.message(message), condition: { version } },
      // The address that somebody typed has no use any more.
      { put: itemOf(mailKeys.failedMessage(message), { ...message, email: null, fault }, expiry) },
    ]);
  }

  finish(_permit: Permit, { message, version }: TakenMessage): Promise<boolean> {
    return this.#parts.table.remove(mailKeys.message(message), { version });
  }

  async waiting(limit: number): Promise<Message[]> {
    return (await firstItems(this.#parts.table, mailKeys.messages(), limit)).map(({ data }) => data);
  }

  async failed(limit: number): Promise<Message[]> {
    return (await firstItems(this.#parts.table, mailKeys.failed(), limit)).map(({ data }) => data);
  }

  /** Writes the message at its new moment; false where another worker has it. */
  #move({ message: before, version }: TakenMessage, message: Message): Promise<boolean> {
    const [from, to] = [mailKeys.message(before), mailKeys.message(message)];
    if (from.sk === to.sk) return this.#parts.table.put(itemOf(to, message), { version });
    return this.#parts.table.transact([
      { remove: from, condition: { version } },
      { put: itemOf(to, message), condition: { absent: true } },
    ]);
  }
}
