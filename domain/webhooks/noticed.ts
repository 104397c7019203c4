import type { NoticeKind } from '../catalog/notify.ts';
import type { Notice } from '../notices/notice.ts';
import { addDays, hasPassed } from '../shared/instant.ts';
import type { WebhookEvent } from './delivery.ts';
import type { RefusedData, SaleData, SubscriptionData, TicketData } from './events.ts';
import type { WebhookKind } from './webhook.ts';

/** The events of the store that are notices. */
const KIND_OF: { readonly [K in WebhookKind]?: NoticeKind } = {
  'sale.paid': 'sale',
  'sale.disputed': 'dispute',
  'sale.withdrawn': 'withdrawal',
  'subscription.past_due': 'failed_renewal',
  'ticket.opened': 'ticket',
  'ticket.replied': 'ticket',
  'event.refused': 'payment_event',
};

export const noticeKindOf = (kind: WebhookEvent['kind']): NoticeKind | undefined =>
  kind === 'ping' ? undefined : KIND_OF[kind];

/** Days after its payment for which an order is news. An import brings older ones. */
const NEWS_DAYS = 7;

/** The notice of an event; undefined if it is none, such as the ticket of a withdrawal, which is reported as such. */
export const noticeOf = ({ kind: event, data, timestamp }: WebhookEvent): Notice | undefined => {
  const kind = noticeKindOf(event);
  switch (kind) {
    case 'sale':
    case 'dispute':
    case 'withdrawal': {
      const { id, number, paid_at, items, total_cents: cents, currency } = data as SaleData;
      if (kind === 'sale' && hasPassed(addDays(paid_at ?? timestamp, NEWS_DAYS), timestamp)) return undefined;
      const product_ids = items.flatMap(({ product_id }) => product_id ?? []);
      return {
        kind,
        page: `orders/id:${id}`,
        name: number,
        product_ids,
        money: { cents, currency },
      };
    }
    case 'failed_renewal': {
      const { product_ids, renewal_amount_cents: cents, renewal_currency } = data as SubscriptionData;
      const money = cents === null || renewal_currency === null ? {} : { money: { cents, currency: renewal_currency } };
      return { kind, page: 'subscriptions', name: '', product_ids, ...money };
    }
    case 'ticket': {
      const { id, number, order_id } = data as TicketData;
      return event === 'ticket.opened' && order_id !== null
        ? undefined
        : { kind, page: `tickets/${id}`, name: number, ticket_id: id };
    }
    case 'payment_event': {
      const { provider, id, reason } = data as RefusedData;
      return {
        kind,
        page: `events/${provider}/${encodeURIComponent(id)}`,
        name: `${provider} ${id}`,
        text: reason ?? '',
      };
    }
    default:
      return undefined;
  }
};
