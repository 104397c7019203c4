import type { Permit } from '../../domain/access/permit.ts';
import { DAYS_KEPT_FAILED, type Message, mayBeTaken, type NewMessages, newMessage } from '../../domain/mail/message.ts';
import { addDays, type Instant } from '../../domain/shared/instant.ts';
import type { Messages, TakenMessage } from '../../ports/outbound/mail.ts';
import type { Clock, Ids } from '../../ports/outbound/system.ts';
import { expiryAt } from './expiry.ts';
import { mailKeys } from './keys/mail.ts';
import { firstItems, itemOf } from './records.ts';
import type { TypedTable, TypedWrite } from './typed-table.ts';

type Parts = { readonly clock: Clock; readonly messageIds: Ids };

/**
 * Creates the writes of messages, which a repository adds to the change's transaction, so that each message belongs to
 * one change and none is lost. The list is empty if the service itself makes the change, as when it fills an empty
 * store, or if mail is not set up.
 */
export const messageWrites =
  ({ clock, messageIds, mailSettings }: Parts & { readonly mailSettings: object | null }) =>
  (permit: Permit, messages: NewMessages): TypedWrite[] => {
    if (messages.length === 0 || mailSettings === null || permit.by().kind === 'service') return [];
    return messages.map((about) => {
      const message = newMessage(messageIds.next(), about, clock.now());
      return { put: itemOf(mailKeys.message(message), message), condition: { absent: true } };
    });
  };

export type MessageWrites = ReturnType<typeof messageWrites>;

/** The messages, ordered by their due time. Taking or postponing a message moves it to its new due time. */
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
    /** The first one that is due. One whose time a wrong clock has set lies behind all others. */
    const next = async (first: boolean) => {
      for (const descending of [false, true]) {
        const [item] = await firstItems(table, { ...mailKeys.lane(first), consistent: true, descending }, 1);
        if (!item || mayBeTaken(item.data, now)) return item;
      }
      return undefined;
    };
    const item = (await next(true)) ?? (await next(false));
    if (!item) return 'none';
    const created_at = item.data.created_at < now ? item.data.created_at : now;
    const message: Message = { ...item.data, attempts: item.data.attempts + 1, due_at: until, created_at };
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
      // The address that somebody typed is no longer needed.
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
    const newest = { ...mailKeys.failed(), descending: true };
    return (await firstItems(this.#parts.table, newest, limit)).map(({ data }) => data);
  }

  /** Writes the message at its new due time; false if another worker has it. */
  #move({ message: before, version }: TakenMessage, message: Message): Promise<boolean> {
    const [from, to] = [mailKeys.message(before), mailKeys.message(message)];
    if (from.sk === to.sk) return this.#parts.table.put(itemOf(to, message), { version });
    return this.#parts.table.transact([
      { remove: from, condition: { version } },
      { put: itemOf(to, message), condition: { absent: true } },
    ]);
  }
}
