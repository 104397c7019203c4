import { inGroup } from '../documented.ts';

export const shopSalesTexts = inGroup('Shop', {
  listEvents: {
    summary: 'List the events of payment providers',
    description: 'The events of the last 30 days, newest first, each with its state and the reason of a refusal.',
    tool: { description: 'Tells which sales are not recorded, and why.' },
  },
  showEvent: {
    summary: 'Show an event of a payment provider',
    description: 'An event with its body, as the provider signed it.',
    tool: { description: 'Read the body where the reason of an event does not suffice.' },
    pathExamples: { event: 'evt_example' },
  },
  replayEvents: {
    summary: 'Replay events of payment providers',
    description:
      'Runs one event again, or up to 20 refused ones, once the shop has mended the cause. Nothing is recorded twice. Ask again with `next_after` until it is null. With `queue` the server runs the refused ones after the answer; they are `queued` until then.',
    tool: { description: 'Mend first what the reasons name, such as a price without a product.' },
    bodyExample: {},
  },
});
