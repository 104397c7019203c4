import { EVENTS, listEvents, replayEvents, showEvent } from '../../../../application/sales/payment-events.ts';
import { ok } from '../../../../domain/shared/outcome.ts';
import * as shopSales from '../../../../ports/inbound/shop/sales.ts';
import { handling } from '../handling.ts';
import { oneMore, page, read, write } from './answers.ts';

export const shopSalesHandlers = handling(shopSales, { listEvents, showEvent, replayEvents }, (use) => ({
  listEvents: async ({ query }) => ok(page(query, EVENTS)(await use.listEvents(oneMore(query)))),
  showEvent: ({ params, query }) => read(use.showEvent({ id: params.event, ...query })),
  replayEvents: async ({ body: { event: id, queue, ...filter } }) =>
    write((permit) => {
      const input = id === null ? { refused: true as const, ...filter, queue: queue ?? false } : { id, ...filter };
      return use.replayEvents(permit, input);
    }),
}));
