import { inGroup } from '../documented.ts';

const AT = '2026-11-20T08:12:00.000Z';

export const shopOrdersTexts = inGroup('Shop', {
  listShopOrders: {
    summary: 'List the orders of the shop',
    description: 'The orders of the shop or of an account, newest first, each with the address of its account.',
    tool: { description: 'Newest first. Name the account where you know it.' },
  },
  describeOrder: {
    summary: 'Show an order of the shop',
    description: 'An order with all that it gave: entitlements, subscriptions and invoices with their present states.',
    tool: { description: 'Use it before a refund: it shows what the order gave, and whether the buyer may withdraw.' },
  },
  refundOrder: {
    summary: 'Refund an order',
    description:
      'Refunds an order or some of its items, and takes back what they gave. It moves no money: the payment provider does. The same refund again changes nothing.',
    tool: { description: 'Call it with trial first and show the person what would end. It moves no money.' },
    bodyExample: { item_ids: [], keeps_access: false, reason: 'Bought by mistake', trial: true },
  },
  resendOrderMail: {
    summary: 'Mail an order again',
    description:
      'Mails the buyer of a paid order its mail again, with a new link, at most three times a day. A suspended or erased account gets none.',
    tool: { description: 'For a buyer who lost the mail. Name the address of the answer to the person.' },
  },
  settleOrder: {
    summary: 'Mark an order as paid',
    description:
      'Records that a pending order of the shop’s own system is paid now, as a sale with its reference would: the buyer gets the products and a mail. Another order is refused.',
  },
  recordSale: {
    summary: 'Record a sale',
    description:
      'Records a payment of your own, which gives its products. The account is found by the address, or opened. A repetition changes nothing; other facts with a later `changed_at` change the order.',
    tool: { description: 'Only for a payment that has reached the shop. It moves no money.' },
    bodyExample: {
      reference: 'invoice-1042',
      email: 'buyer@example.com',
      ordered_at: AT,
      currency: 'KRW',
      lines: [{ product: 'hashcheck', quantity: 1, total_cents: 19_000, discount_cents: null, price: null }],
    },
  },
  showSums: {
    summary: 'Show the sums of sales',
    description:
      'The sales of up to 366 days of the shop’s time zone: in total, by day, by product and by payment provider, each by currency. A sale counts with its whole price on the day of its payment; a refund counts apart, on its own day. `net_cents` is the price without tax, less what was refunded of it.',
    tool: { description: 'Amounts are in minor units. Never add those of two currencies.' },
  },
  listTransactions: {
    summary: 'List the sales and refunds of days',
    description:
      'The sales and refunds of up to 366 days of the shop’s time zone for the books, by order, newest order first. They add up to the sums of the same days; tests and disputes are left out. A page may be empty and have a next one, because every order is examined for refunds. Ask for each page with the same days.',
  },
  listDueSubscriptions: {
    summary: 'List the subscriptions that change next',
    description:
      'The subscriptions of the shop that renew within 31 days, that wait for a payment that failed, or that were cancelled and run out, each with the address of its account. Those that change next come first.',
    tool: { description: 'Use it to see whose payment fails, and who leaves.' },
  },
  listShopSubscriptions: {
    summary: 'List the subscriptions of an account',
    description: 'The subscriptions of an account, newest first, with their present states.',
    tool: { description: 'Newest first, with the state that the buyer is shown.' },
  },
  describeSubscription: {
    summary: 'Show a subscription',
    description: 'A subscription: its state now and why, its grace period, its next charge, and what it covers.',
    tool: { description: 'Tells why a subscription gives access, or why it does not.' },
    pathExamples: { subscription: 1 },
  },
});
