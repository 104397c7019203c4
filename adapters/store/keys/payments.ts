import { hash } from 'node:crypto';
import type { PaymentEvent, ProviderName } from '../../../domain/sales/payment-event.ts';
import type { PackedBody } from '../packed-body.ts';
import type { Partition } from './families.ts';
import { keyIn, SHARDS } from './shared.ts';

export type StoredEvent = Omit<PaymentEvent, 'body'> & PackedBody;

/** `rests`: the event rests (`isResting`); absent in a record of an earlier version. */
export type OpenEvent = Pick<PaymentEvent, 'provider' | 'id'> & { readonly rests?: true };

const shardOf = (id: string): number => Number.parseInt(hash('sha256', id, 'hex').slice(-1), 16) % SHARDS;

/** Keys of payment events, and of the records that providers' ids refer to. A shard is 0 to 7. */
export const paymentKeys = {
  events: (shard: number): Partition<StoredEvent> => ({ pk: `PAYMENTEVENTS#${shard}` }),
  event: (provider: string, id: string) => keyIn<StoredEvent>(`PAYMENTEVENTS#${shardOf(id)}`, `${provider}#${id}`),
  /** Events that were open at their last save. */
  opens: { pk: 'OPENEVENTS' } as Partition<OpenEvent>,
  open: (provider: string, id: string) => keyIn<OpenEvent>('OPENEVENTS', `${provider}#${id}`),
  name: (provider: string, name: string) => keyIn<ProviderName>(`PAYMENTNAME#${provider}#${name}`, 'NAME'),
};
