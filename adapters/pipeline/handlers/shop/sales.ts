import { EVENTS, listEvents, replayEvents, showEvent } from '../../../../application/sales/payment-events.ts';
import * as shopSales from '../../../../ports/inbound/shop/sales.ts';
import { handling } from '../handling.ts';
import { read, write } from './answers.ts';
import { listing } from './shop-handling.ts';

export const shopSalesHandlers = handling(shopSales, { listEvents, showEvent, replayEvents }, (use) => ({
  listEvents: listing(use.listEvents, EVENTS),
  showEvent: ({ params, query }) => read(use.showEvent({ id: params.event, ...query })),
  replayEvents: async ({ body: { event: id, ...filter } }) =>
    write((permit) => use.replayEvents(permit, id === null ? { refused: true, ...filter } : { id, ...filter })),
}));
