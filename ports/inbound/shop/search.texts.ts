import { inGroup } from '../documented.ts';

export const shopSearchTexts = inGroup('Shop', {
  searchShop: {
    summary: 'Search the shop',
    description:
      'Finds accounts by address or id; orders by number, id or the provider’s id; subscriptions by the provider’s id; keys by value or prefix; devices by id or its first eight characters; tickets by id or number; payment events by id; products by slug or name. Accounts are also found by the first three or more characters of their address. Other texts match as a whole, except names of products.',
    tool: { description: 'Start here with whatever the person named: an address, an order number, a device id.' },
    bodyExample: { text: 'demo@example.com' },
  },
  examineShop: {
    summary: 'Examine the shop',
    description:
      'What a server can see of its own shop: store, files, catalog, mail, events, webhooks and clock. The findings are up to a minute old. The command `doctor` also examines configuration, keys and every file.',
    tool: { description: 'Tells what is wrong with the shop, and what to do about it.' },
  },
});
