import { hash } from 'node:crypto';
import type { PaymentEvent, ProviderName } from '../../../domain/sales/payment-event.ts';
import type { PackedBody } from '../packed-body.ts';
import type { KeyOf, Partition } from './families.ts';
import { SHARDS } from './shared.ts';

export type StoredEvent = Omit<PaymentEvent, 'body'> & PackedBody;

const shardOf = (id: string): number => Number.parseInt(hash('sha256', id, 'hex').slice(-1), 16) % SHARDS;

/** Where the events of payment providers and the meanings of their ids lie. A shard is 0 to 7. */
export const paymentKeys = {
  events: (shard: number): Partition<StoredEvent> => ({ pk: `PAYMENTEVENTS#${shard}` }),
  event: (provider: string, id: string): KeyOf<StoredEvent> => ({
    pk: `PAYMENTEVENTS#${shardOf(id)}`,
    sk: `${provider}#${id}`,
  }),
  /** Events that were open when they were saved last. */
  opens: { pk: 'OPENEVENTS' } as Partition<Pick<PaymentEvent, 'provider' | 'id'>>,
  open: (provider: string, id: string): KeyOf<Pick<PaymentEvent, 'provider' | 'id'>> => ({
    pk: 'OPENEVENTS',
    sk: `${provider}#${id}`,
  }),
  name: (provider: string, name: string): KeyOf<ProviderName> => ({
    pk: `PAYMENTNAME#${provider}#${name}`,
    sk: 'NAME',
  }),
};
