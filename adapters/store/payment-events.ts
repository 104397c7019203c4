import type { Permit } from '../../domain/access/permit.ts';
import {
  EVENT_DAYS,
  isOpen,
  isResting,
  MEANING_DAYS,
  type PaymentEvent,
  type ProviderName,
} from '../../domain/sales/payment-event.ts';
import { addDays } from '../../domain/shared/instant.ts';
import { refusedEvents } from '../../domain/webhooks/events.ts';
import type { EventName, PaymentEvents } from '../../ports/outbound/sales.ts';
import type { Clock } from '../../ports/outbound/system.ts';
import { expiryAt } from './expiry.ts';
import { paymentKeys, type StoredEvent } from './keys/payments.ts';
import { bodyOf, packedBody } from './packed-body.ts';
import { allItems, ifUnchanged, itemOf, recordsOfShards } from './records.ts';
import type { TypedTable } from './typed-table.ts';
import type { WebhookWrites } from './webhook-writes.ts';

type Parts = { readonly table: TypedTable; readonly clock: Clock; readonly webhookWrites: WebhookWrites };

const NOTHING: ProviderName = { meaning: null, account_id: null, waiting: [] };

/** The number of open events that are read at once. */
const AT_ONCE = 20;

const unpacked = ({ deflated, ...event }: StoredEvent): PaymentEvent => ({ ...event, body: bodyOf({ deflated }) });

/** Stores each event in one item, its body compressed, and each name in one item. */
export class StoredPaymentEvents implements PaymentEvents {
  readonly #table: TypedTable;
  readonly #clock: Clock;
  readonly #webhookWrites: WebhookWrites;

  constructor({ table, clock, webhookWrites }: Parts) {
    this.#table = table;
    this.#clock = clock;
    this.#webhookWrites = webhookWrites;
  }

  async find({ provider, id }: EventName): Promise<PaymentEvent | undefined> {
    const item = await this.#table.get(paymentKeys.event(provider, id));
    return item && this.#isKept(item.data) ? unpacked(item.data) : undefined;
  }

  async save(permit: Permit, { body, ...event }: PaymentEvent, before?: PaymentEvent): Promise<void> {
    const key = paymentKeys.event(event.provider, event.id);
    const end = expiryAt(addDays(event.received_at, EVENT_DAYS));
    const { provider, id } = event;
    const open = paymentKeys.open(provider, id);
    // This write comes first, so that a crash between the two never leaves an open event out of the list.
    if (isOpen(event)) {
      await this.#table.put(itemOf(open, { provider, id, ...(isResting(event) && { rests: true }) }, end));
    }
    const put = itemOf(key, { ...event, ...packedBody(body) }, end);
    const eventWrites = await this.#webhookWrites(permit, refusedEvents(before, { ...event, body }));
    await (eventWrites.length === 0 ? this.#table.put(put) : this.#table.transact([{ put }, ...eventWrites]));
    if (before && isOpen(before) && !isOpen(event)) await this.#table.remove(open);
  }

  async *opens({ after, due }: { after?: EventName | undefined; due?: true } = {}): AsyncGenerator<PaymentEvent> {
    const from = after && paymentKeys.open(after.provider, after.id).sk;
    let named: EventName[] = [];
    for await (const { sk, data } of allItems(this.#table, { ...paymentKeys.opens, from })) {
      if (sk !== from && !(due && data.rests)) named.push(data);
      if (named.length < AT_ONCE) continue;
      yield* await this.#stillOpen(named);
      named = [];
    }
    yield* await this.#stillOpen(named);
  }

  /** A listed event that another process has settled meanwhile is left out. */
  async #stillOpen(named: readonly EventName[]): Promise<PaymentEvent[]> {
    const found = await Promise.all(named.map((name) => this.find(name)));
    return found.flatMap((event) => (event && isOpen(event) ? event : []));
  }

  async *list(): AsyncGenerator<PaymentEvent> {
    for await (const event of recordsOfShards(this.#table, paymentKeys.events)) {
      if (this.#isKept(event)) yield unpacked(event);
    }
  }

  async name(provider: string, name: string): Promise<ProviderName | undefined> {
    return (await this.#table.get(paymentKeys.name(provider, name)))?.data;
  }

  async awaitMeaning(_permit: Permit, provider: string, name: string, event_id: string): Promise<boolean> {
    const before = await this.#change(provider, name, (known) =>
      known.meaning === null ? { ...known, waiting: [...new Set([...known.waiting, event_id])] } : known,
    );
    return before.meaning === null;
  }

  async keepMeaning(
    _permit: Permit,
    provider: string,
    name: string,
    { meaning, account_id }: Pick<ProviderName, 'meaning' | 'account_id'>,
  ): Promise<readonly string[]> {
    const { waiting } = await this.#change(provider, name, (known) => ({
      ...known,
      meaning: meaning ?? known.meaning,
      account_id: account_id ?? known.account_id,
    }));
    return waiting;
  }

  async endWaiting(_permit: Permit, provider: string, name: string, eventIds: readonly string[]): Promise<void> {
    await this.#change(provider, name, (known) => ({
      ...known,
      waiting: known.waiting.filter((id) => !eventIds.includes(id)),
    }));
  }

  /** Replaces the record of a name, and returns the previous one. The loser of a race decides again. */
  async #change(provider: string, name: string, change: (known: ProviderName) => ProviderName): Promise<ProviderName> {
    const key = paymentKeys.name(provider, name);
    for (;;) {
      const item = await this.#table.get(key);
      const before = item?.data ?? NOTHING;
      const after = change(before);
      if (after === before) return before;
      const days = after.account_id === null ? MEANING_DAYS.unowned : MEANING_DAYS.owned;
      const end = expiryAt(addDays(this.#clock.now(), days));
      if (await this.#table.put(itemOf(key, after, end), ifUnchanged(item?.version ?? null))) return before;
    }
  }

  #isKept({ received_at }: Pick<PaymentEvent, 'received_at'>): boolean {
    return addDays(received_at, EVENT_DAYS) > this.#clock.now();
  }
}
