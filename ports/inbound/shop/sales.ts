import * as z from 'zod';
import { EVENT_FAULTS, EVENT_STATES } from '../../../domain/sales/payment-event.ts';
import { component, dateTime, id, nullableText, once } from '../answers.ts';
import { bodyFlag, line, orNull, pathText, queryOneOf, queryStretch, queryText } from '../fields.ts';
import { list } from './records.ts';
import { shopEndpoints } from './terms.ts';

const shop = shopEndpoints('orders');

const shopEventData = once(() =>
  component('ShopEventData', {
    provider: z.string(),
    id: z.string().describe('the provider’s own id of the event'),
    type: z.string().describe('the provider’s own name of the kind of event'),
    received_at: dateTime,
    state: z.enum(EVENT_STATES),
    reason: nullableText.describe('why it is not recorded, or only in part'),
    fault: z.enum(EVENT_FAULTS).optional().describe('the kind of `reason`'),
    queued: z.literal(true).optional().describe('the server replays it next'),
    account_id: id.nullable(),
    buyer: z.string().optional().describe('the buyer’s address in an open event'),
    attempts: z.int().optional().describe('how often the provider was asked for what the event lacks'),
    due_at: dateTime.optional().describe('the next time the provider may be asked'),
  }),
);

export const listEvents = shop({
  id: 'listEvents',
  path: '/api/shop/events',
  query: () =>
    z.object({
      only: queryOneOf(['refused', 'open'], '`refused`: events to mend. `open`: these, and the events that wait.'),
      provider: queryText(32, 'Only events of this provider.'),
      fault: queryOneOf(EVENT_FAULTS, 'Only events with this kind of reason.'),
      ...queryStretch('moment'),
    }),
  answer: () => list(shopEventData()),
  tool: { name: 'shop_list_events', effect: 'reads' },
});

export const showEvent = shop({
  id: 'showEvent',
  path: '/api/shop/events/{event}',
  params: () => z.object({ event: pathText('the provider’s id of the event') }),
  query: () => z.object({ provider: queryText(32, 'The provider. Without it, all stored events are searched.') }),
  answer: () => shopEventData().extend({ body: z.string().describe('JSON as the provider signed it') }),
  tool: { name: 'shop_show_event', effect: 'reads' },
});

export const replayEvents = shop({
  id: 'replayEvents',
  method: 'POST',
  path: '/api/shop/event-replays',
  body: () =>
    component('ShopReplayBody', {
      event: orNull(line(500, 1)).meta({
        description: 'the provider’s id of one event; all refused events by default',
      }),
      provider: orNull(line(32)).meta({ description: 'the provider of that event, or of the refused ones' }),
      fault: orNull(z.enum(EVENT_FAULTS)).meta({ description: 'only refused events with this kind of reason' }),
      queue: bodyFlag('let the server replay the refused events after the answer, up to 200 per call'),
      after: orNull(line(600)).meta({ description: '`next_after` of the answer before' }),
    }),
  answer: () => list(shopEventData()),
  tool: { name: 'shop_replay_events', effect: 'adds' },
});
