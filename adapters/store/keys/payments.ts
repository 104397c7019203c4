import { hash } from 'node:crypto';
import type { PaymentEvent, ProviderName } from '../../../domain/sales/payment-event.ts';
import type { PackedBody } from '../packed-body.ts';
import type { Partition } from './families.ts';
import { keyIn, SHARDS } from './shared.ts';

export type StoredEvent = Omit<PaymentEvent, 'body'> & PackedBody;

const shardOf = (id: string): number => Number.parseInt(hash('sha256', id, 'hex').slice(-1), 16) % SHARDS;

/** Keys of payment events, and of the records that providers' ids stand for. A shard is 0 to 7. */
export const paymentKeys = {
  events: (shard: number): Partition<StoredEvent> => ({ pk: `PAYMENTEVENTS#${shard}` }),
  event: (provider: string, id: string) => keyIn<StoredEvent>(`PAYMENTEVENTS#${shardOf(id)}`, `${provider}#${id}`),
  /** Events that were open at their last save. */
  opens: { pk: 'OPENEVENTS' } as Partition<Pick<PaymentEvent, 'provider' | 'id'>>,
  open: (provider: string, id: string) =>
    keyIn<Pick<PaymentEvent, 'provider' | 'id'>>('OPENEVENTS', `${provider}#${id}`),
  name: (provider: string, name: string) => keyIn<ProviderName>(`PAYMENTNAME#${provider}#${name}`, 'NAME'),
};
