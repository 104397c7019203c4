import { html } from 'hono/html';
import type { ListOrders } from '../../../../application/billing/orders.ts';
import type { ListInvoices, ListPaymentMethods } from '../../../../application/billing/payments.ts';
import type { ListSubscriptions } from '../../../../application/billing/subscriptions.ts';
import { type BillingDetails, billedTo } from '../../../../domain/accounts/billing-details.ts';
import { type Bill, billsOf } from '../../../../domain/billing/history.ts';
import { moneyText } from '../../../../domain/billing/money.ts';
import { isNeverPaid, type OrderWithdrawal } from '../../../../domain/billing/order.ts';
import { canRenew, firstDue, type Included, includedIn, isOver, needRank } from '../../../../domain/billing/renewal.ts';
import type { Catalog } from '../../../../domain/catalog/catalog.ts';
import { millis, toInstant } from '../../../../domain/shared/instant.ts';
import { inLocale, type Locale } from '../../../../domain/shared/locale.ts';
import { dayText } from '../../../../domain/shared/wording.ts';
import { ticketNumber } from '../../../../domain/support/ticket.ts';
import { day, dayIn } from '../../shared/dates.ts';
import { emptyBox, facts, type Html, type Notice, noticeBox, table, unseen } from '../../shared/pieces.ts';
import { type Answer, goTo, show } from '../answer.ts';
import { SCRIPT_PATH } from '../assets/assets.ts';
import { idIn } from '../form.ts';
import type { Messages } from '../messages/en.ts';
import { MESSAGES } from '../messages/messages.ts';
import type { Paths } from '../paths.ts';
import { noticeIn } from '../routes/notices.ts';
import { confirmation } from '../views/confirmation.ts';
import { dueBanner, dueText } from '../views/due.ts';
import { notFoundView } from '../views/messages.ts';
import { layout, type Page, shopName } from '../views/page.ts';

export type Order = Awaited<ReturnType<ListOrders>>['orders'][number];
export type Invoice = Awaited<ReturnType<ListInvoices>>['invoices'][number];
export type Subscription = Awaited<ReturnType<ListSubscriptions>>['subscriptions'][number] & {
  /** The name that `nameIn` gives. */
  readonly name: string;
  /** The reason why an ended subscription needs no renewal. */
  readonly included: Included | null;
};

export type PaymentMethod = Awaited<ReturnType<ListPaymentMethods>>['payment_methods'][number];

/** The number of bills on a page, and the maximum number of invoices to read. */
const BILLS_SHOWN = 25;
const EVERY_INVOICE = 10_000;

/** The name of a subscription: that of its order, else the names of those products that the store still has. */
export const nameIn =
  (products: Catalog['products'], orders: readonly Pick<Order, 'id' | 'subscription_name'>[], locale: Locale) =>
  ({ order_id, product_ids }: { readonly order_id: number | null; readonly product_ids: readonly number[] }): string =>
    orders.find(({ id }) => id === order_id)?.subscription_name ??
    product_ids.flatMap((id) => inLocale(products.get(id)?.name ?? {}, locale) ?? []).join(', ');

/** The display name of a means of payment, given the code of a store or payment provider, such as `kakao_pay`; null if they only say that it is another. */
const paidBy = ({ orders: { means } }: Messages, word: string): string | null => {
  const known: Readonly<Record<string, string>> = means;
  const code = word.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  if (code === 'other') return null;
  if (Object.hasOwn(known, code)) return known[code] as string;
  return word.charAt(0).toUpperCase() + word.slice(1).replaceAll('_', ' ');
};

const GOOD: readonly string[] = ['paid', 'active', 'trialing'];
const WARNING: readonly string[] = ['pending', 'disputed', 'past_due', 'open', 'overdue'];

const badge = (status: string, label: string): Html =>
  html`<span class="badge ${GOOD.includes(status) ? 'good' : WARNING.includes(status) ? 'due' : 'past'}">${label}</span>`;

/** The state of an order. A declared withdrawal counts before the shop has refunded it. */
const orderBadge = ({ m }: Page, { status }: Order, sent: OrderWithdrawal | null | undefined): Html =>
  sent && status === 'paid' ? badge('pending', m.labels.order.withdrawn) : badge(status, m.labels.order[status]);

const isProduct = ({ product_id }: Order['items'][number]): boolean => product_id !== 0;

const goods = ({ subscription_name, items }: Order): string =>
  subscription_name ??
  (items.some(isProduct) ? items.filter(isProduct) : items).map(({ product_name }) => product_name).join(', ');

/** A link to a page of the shop or its payment provider, outside this host. */
const outward = (href: string, text: string, about: string, main = false): Html =>
  html`<a class="button${main ? ' main' : ''}" href="${href}" rel="noreferrer">${text}${unseen(about)}</a>`;

const subscriptionCard = (page: Page, one: Subscription): Html => {
  const { orders: m } = page.m;
  const {
    status,
    next_charge_at,
    ends_at,
    access_ends_at,
    renewal_amount_cents: amount,
    renewal_currency: currency,
  } = one;
  const price = amount !== null && currency !== null ? moneyText(page.language, amount, currency) : null;
  const won =
    one.estimated_krw_amount === null ? '' : m.about(moneyText(page.language, one.estimated_krw_amount, 'KRW'));
  const isDue = one.action === 'update_payment_method';
  const portal = inLocale(page.shop.storefront?.links?.billing ?? {}, page.locale);
  const isLive = one.can_cancel || one.cancel_at_period_end;
  return html`<li class="card">
<div class="head"><h3>${one.name}</h3>${badge(status, page.m.labels.subscription[status])}</div>
${isDue || status === 'past_due' ? html`<p class="warning">${dueText(page, one)}</p>` : ''}${one.cancel_at_period_end ? html`<p class="note">${m.runsOut}</p>` : ''}${one.included ? html`<p class="hint">${m.included(one.included.by)}</p>` : ''}
${facts([
  [
    m.nextCharge,
    next_charge_at &&
      html`${day(page, next_charge_at)}${price === null ? '' : html`<br><strong>${price}</strong>${won === '' ? '' : html` <span class="aside inline">${won}</span>`}`}`,
  ],
  isOver(one)
    ? [m.ended, access_ends_at && day(page, access_ends_at)]
    : [m.paidUntil, next_charge_at === null ? ends_at && day(page, ends_at) : null],
  [
    m.paidWith,
    [
      one.payment_method_brand && paidBy(page.m, one.payment_method_brand),
      one.payment_method_last4 && `•••• ${one.payment_method_last4}`,
    ]
      .filter(Boolean)
      .join(' ') || null,
  ],
  [m.offer, one.offer_name],
  [m.since, day(page, one.starts_at)],
  [
    m.order,
    one.order_id === null
      ? null
      : html`<a href="/orders/${String(one.order_id)}">${one.order_number ?? one.order_id}</a>`,
  ],
])}
<div class="actions">${one.update_payment_method_url === null ? '' : outward(one.update_payment_method_url, m.changeCard, one.name, isDue)}${one.action === 'renew' && one.renewal_url !== null && one.included === null ? outward(one.renewal_url, m.renew, one.name, true) : ''}${isLive && portal ? outward(portal, one.can_cancel ? m.cancel : m.resume, one.name) : ''}</div>
${isLive && !portal ? html`<p class="hint">${one.can_cancel ? m.cancelByShop : m.resumeByShop} <a href="/support#write">${page.m.support.write}</a></p>` : ''}
</li>`;
};

/** The pages of an order's invoices and receipts at the shop or its payment provider, without duplicates. */
const papersOf = ({ m: { orders: m } }: Page, { order, invoices }: Bill<Order, Invoice>) => {
  const issued = order?.invoice;
  const isListed = invoices.some(({ number, pdf_url }) => number === issued?.number && pdf_url !== null);
  const proofs = [...(order === null ? [] : [order]), ...invoices].filter(
    ({ receipt_url: url }, n, all) => url !== null && all.findIndex(({ receipt_url }) => receipt_url === url) === n,
  );
  return [
    ...invoices.map(({ number, pdf_url }) => ({ text: m.invoiceOf(number), about: '', href: pdf_url })),
    { text: m.invoiceOf(issued?.number ?? ''), about: '', href: isListed ? null : (issued?.url ?? null) },
    ...proofs.map(({ number, receipt_url: href }) =>
      proofs.length === 1
        ? { text: m.paymentProof, about: number, href }
        : { text: `${m.paymentProof} ${number}`, about: '', href },
    ),
  ].flatMap(({ href, ...paper }) => (href === null ? [] : [{ href, ...paper }]));
};

const paperLinks = (page: Page, bill: Bill<Order, Invoice>): Html | '' => {
  const links = papersOf(page, bill).map(
    ({ href, text, about }) => html`<a href="${href}" rel="noreferrer">${text}${unseen(about)}</a> `,
  );
  return links.length === 0 ? '' : html`<small class="links">${links}</small>`;
};

const billRow = (page: Page, bill: Bill<Order, Invoice>): (Html | string)[] =>
  bill.order === null ? invoiceRow(page, bill) : orderRow(page, bill.order, bill);

const orderRow = (page: Page, order: Order, bill: Bill<Order, Invoice>): (Html | string)[] => [
  html`<a href="/orders/${String(order.id)}">${goods(order)}</a><small>${order.number}</small>${order.withdrawal && html`<small>${page.m.orders.withdrawalSent(dayText(page.language, order.withdrawal.declared_at, page.shop.storefront?.withdrawal?.time_zone))}</small>`}${paperLinks(page, bill)}`,
  day(page, order.ordered_at),
  moneyText(page.language, order.total_cents, order.currency),
  orderBadge(page, order, order.withdrawal),
];

const invoiceRow = (page: Page, bill: Bill<Order, Invoice> & { readonly order: null }): (Html | string)[] => {
  const [invoice] = bill.invoices;
  return [
    html`${paperLinks(page, bill) || page.m.orders.invoiceOf(invoice.number)}`,
    day(page, invoice.issued_at),
    moneyText(page.language, invoice.total_cents, invoice.currency),
    badge(invoice.status, page.m.labels.invoice[invoice.status]),
  ];
};

const methodRow = (page: Page, one: PaymentMethod): Html => {
  const { orders: m } = page.m;
  const last =
    one.exp_month === null || one.exp_year === null
      ? null
      : `${String(one.exp_month).padStart(2, '0')}/${one.exp_year}`;
  const [brand, type] = [paidBy(page.m, one.brand), page.m.labels.method[one.type]];
  const ends = last && (one.expired ? m.cardExpired(last) : m.cardUntil(last));
  const about = [brand && type, ends].filter(Boolean);
  return html`<li>${brand ?? type} ${one.last4 === null ? '' : html`<span class="inline">•••• ${one.last4}</span>`} <span class="aside">${about.join(' · ')}</span>${one.is_default ? html` <span class="badge">${m.standard}</span>` : ''}</li>`;
};

export type OrdersModel = {
  readonly subscriptions: readonly Subscription[];
  readonly bills: readonly Bill<Order, Invoice>[];
  readonly methods: readonly PaymentMethod[];
  /** The current page of bills, from 1, and whether there is another. */
  readonly turn: number;
  readonly hasMore: boolean;
};

/** The subscriptions, orders, invoices and means of payment of an account. */
export const ordersView = (page: Page, { subscriptions, bills, methods, turn, hasMore }: OrdersModel): Html => {
  const { orders: m } = page.m;
  const isEmpty = bills.length + subscriptions.length === 0;
  const site = inLocale(page.shop.storefront?.links?.site ?? {}, page.locale);
  const block = (id: string, title: string, body: Html | ''): Html =>
    html`<section class="card" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${body}</section>`;
  return layout(page, {
    title: m.title,
    section: 'orders',
    body: html`<h1>${m.title}</h1>
${turn > 1 ? dueBanner(page, firstDue(subscriptions)) : ''}${isEmpty ? emptyBox(m.empty, m.emptyText, site === undefined ? { href: '/support', text: page.m.support.title } : { href: site, text: page.m.shop.site }) : ''}
${subscriptions.length === 0 || turn > 1 ? '' : html`<h2>${m.subscriptions}</h2><ul class="cards pair">${subscriptions.map((one) => subscriptionCard(page, one))}</ul>`}
${
  bills.length === 0
    ? ''
    : block(
        'history',
        m.history,
        html`${table(
          m.history,
          [m.bought, m.date, m.total, m.status],
          bills.map((bill) => billRow(page, bill)),
        )}${hasMore ? html`<p class="more"><a href="/orders?page=${turn + 1}">${m.older}</a></p>` : ''}`,
      )
}
${methods.length === 0 || turn > 1 ? '' : block('methods', m.methods, html`<ul class="plainlist">${methods.map((one) => methodRow(page, one))}</ul>`)}`,
  });
};

export type OrderModel = {
  readonly order: Order;
  readonly invoices: readonly Invoice[];
  readonly billed: BillingDetails | null;
  /** The buyer's declaration of withdrawal from the order. */
  readonly sent: OrderWithdrawal | undefined;
  readonly notice: Notice | null;
};

const partyLines = (lines: readonly (string | null | undefined)[]): Html =>
  html`${lines.filter((line) => line).map((line) => html`<br>${line}`)}`;

/** The merchant of record, else the shop by its disclosure or name. */
const seller = (page: Page, { sold_by }: Order): Html => {
  const { orders: m } = page.m;
  if (sold_by !== null) {
    return html`<p><span class="kind">${m.seller}</span><br><strong>${sold_by}</strong><br>${m.soldFor(shopName(page) ?? page.m.brand)}</p>`;
  }
  const tax_number = page.shop.storefront?.tax_number;
  const company = page.shop.disclosure?.[page.locale];
  const name = company?.company_name || shopName(page);
  const number = company?.business_registration_number;
  return html`<p><span class="kind">${m.seller}</span><br><strong>${name ?? page.m.brand}</strong>${partyLines([
    company?.representative_name,
    company?.address,
    number ? `${page.m.shop.business_registration_number} ${number}` : null,
    tax_number ? `${m.taxNumber} ${tax_number}` : null,
    company?.phone,
    company?.email,
  ])}</p>`;
};

const refundLine = (
  page: Page,
  { items, currency }: Order,
  { refunded_at, item_ids, amount_cents }: Order['refunds'][number],
): Html => {
  const { orders: m } = page.m;
  const refunded = items.filter(({ id }) => item_ids === null || item_ids.includes(id));
  const about = item_ids === null ? m.whole : refunded.map(({ product_name }) => product_name).join(', ') || m.part;
  const cents = amount_cents ?? refunded.reduce((sum, one) => sum + one.total_cents, 0);
  return html`<li>${day(page, refunded_at)}: ${about}${cents === 0 ? '' : ` (${moneyText(page.language, cents, currency)})`}</li>`;
};

const heading = ({ m: { orders: m } }: Page, order: Order): string => (isNeverPaid(order) ? m.orderAlone : m.receipt);

/** The billed party. Without billing details it is the account's email address. */
const buyer = ({ m: { orders: m }, email }: Page, billed: BillingDetails | null): Html =>
  html`<p><span class="kind">${m.buyer}</span><br><strong>${billed?.name ?? email ?? ''}</strong>${partyLines([
    ...(billed?.address?.split('\n') ?? []),
    billed?.tax_number && `${m.taxNumber} ${billed.tax_number}`,
    billed?.name && email,
  ])}</p>`;

const receipt = (page: Page, { order, invoices, billed, sent }: OrderModel): Html => {
  const { orders: m } = page.m;
  const title = heading(page, order);
  const numbers = [...new Set([...invoices.map(({ number }) => number), order.invoice?.number ?? ''])].filter(Boolean);
  const money = (cents: number): string => moneyText(page.language, cents, order.currency);
  const sums = [
    [m.subtotal, order.discount_total_cents > 0 ? money(order.subtotal_cents) : null],
    [m.discount, order.discount_total_cents > 0 ? `−${money(order.discount_total_cents)}` : null],
    [m.net, order.supply_cents === null ? null : money(order.supply_cents)],
    [
      order.vat_rate === null ? m.vat : m.vatAt(order.vat_rate),
      order.vat_cents === null ? null : money(order.vat_cents),
    ],
    [m.total, html`<strong>${money(order.total_cents)}</strong>`],
  ] as const;
  return html`<article class="card receipt" aria-labelledby="receipt"><div class="head"><h2 id="receipt">${title}</h2>${orderBadge(page, order, sent)}</div>
<div class="parties">${seller(page, order)}${buyer(page, billed)}</div>
${facts([
  [m.number, order.number],
  [m.invoiceNumber, numbers.join(', ') || null],
  [m.ordered, day(page, order.ordered_at)],
  [m.paid, isNeverPaid(order) ? m.notPaid : order.paid_at && day(page, order.paid_at)],
  [m.paidWith, paidBy(page.m, order.payment_method)],
  [m.subscription, order.subscription_name],
])}
${table(
  title,
  [m.item, m.quantity, m.price, m.total],
  order.items.map((item) => [
    html`${item.product_name}${item.discount_total_cents > 0 ? html`<small>${m.discount} −${money(item.discount_total_cents)}</small>` : ''}`,
    String(item.quantity),
    money(item.unit_price_cents),
    money(item.total_cents),
  ]),
)}
<dl class="sums">${sums.map(([name, value]) => (value === null ? '' : html`<div><dt>${name}</dt><dd>${value}</dd></div>`))}</dl>
${order.refunds.length === 0 ? '' : html`<h3>${m.refunds}</h3><ul>${order.refunds.map((refund) => refundLine(page, order, refund))}</ul>`}
${order.sold_by === null && numbers.length === 0 ? '' : html`<p class="hint">${m.noInvoice(order.sold_by)}</p>`}
</article>`;
};

/** The right to withdraw from an order, in a text that says which use ends it. */
export const withdrawableNote = (
  page: Page,
  { id, number, withdraw_until: end }: Pick<Order, 'id' | 'number' | 'withdraw_until'>,
  text: (number: string, last: string) => string,
): Html | '' => {
  if (end === null) return '';
  const last = dayText(page.language, toInstant(millis(end) - 1), page.shop.storefront?.withdrawal?.time_zone);
  return html`<p class="note">${text(number, last)} <a href="/orders/${String(id)}">${page.m.library.toOrder}</a></p>`;
};

const withdrawal = (page: Page, { id, withdraw_until }: Order, sent: OrderWithdrawal | undefined): Html | '' => {
  const { orders: m } = page.m;
  const terms = page.shop.storefront?.withdrawal;
  if (sent) {
    return html`<section class="card" aria-labelledby="withdraw"><h2 id="withdraw">${m.withdrawalSent(dayText(page.language, sent.declared_at, terms?.time_zone))}</h2>
<p><a href="/support/${String(sent.ticket_id)}">${page.m.support.number(ticketNumber({ id: sent.ticket_id }))}</a></p></section>`;
  }
  if (withdraw_until === null || !terms) return '';
  const { time_zone, terms_url } = terms;
  const last = dayText(page.language, toInstant(millis(withdraw_until) - 1), time_zone);
  return html`<section class="card" aria-labelledby="withdraw"><h2 id="withdraw">${m.withdraw}</h2>
<p>${m.withdrawText} ${m.withdrawUntil(time_zone)} <strong><time datetime="${withdraw_until}">${last}</time></strong>${terms_url === null ? '' : html` · <a href="${terms_url}">${m.withdrawTerms}</a>`}</p>
${confirmation(page, { label: m.withdrawNow, question: m.withdrawConfirm, button: m.withdrawButton, action: '/orders/withdraw', fields: { order: String(id) } })}</section>`;
};

const brought = (page: Page, { items, refunds, withdrawal }: Order): Html | '' => {
  const { orders: m, library } = page.m;
  const ended = library.endedOn[withdrawal === null ? 'refunded' : 'withdrawn'];
  /** The state of an entitlement, including whether a refund revoked it. */
  const state = (one: Order['items'][number]['entitlements'][number]): string => {
    const taking = refunds.find(
      ({ keeps_access, item_ids }) => !keeps_access && (item_ids === null || item_ids.includes(one.order_item_id)),
    );
    return one.status === 'revoked' && taking
      ? ended(dayIn(page, taking.refunded_at))
      : `${page.m.labels.grant[one.status]} · ${page.m.labels.access[one.access_state]}`;
  };
  const rights = items.flatMap(({ product_name, entitlements: [first] }) =>
    first === undefined ? [] : [{ ...first, name: product_name }],
  );
  if (rights.length === 0) return '';
  return html`<section class="card" aria-labelledby="brought"><h2 id="brought">${m.brought}</h2><ul class="plainlist">${rights.map((one) => html`<li><a href="/library/${String(one.product_id)}">${one.name}</a> <span class="aside">${state(one)}</span></li>`)}</ul></section>`;
};

/** One order with its receipt, which can be printed, and the right of withdrawal. */
export const orderView = (page: Page, model: OrderModel): Html => {
  const { order, invoices, sent, notice } = model;
  const { orders: m } = page.m;
  const question = new URLSearchParams({ order: order.number });
  const [first, ...others] = order.items.filter(isProduct);
  if (first && others.length === 0) question.set('product', String(first.product_id));
  const isPaid = !isNeverPaid(order);
  const papers = [
    ...(isPaid ? [html`<button type="button" class="main" data-print hidden>${m.print}</button>`] : []),
    ...papersOf(page, { order, invoices }).map(({ href, text, about }) => outward(href, text, about)),
  ];
  return layout(page, {
    title: `${heading(page, order)} ${order.number}`,
    section: 'orders',
    script: SCRIPT_PATH,
    isText: true,
    body: html`<p class="up"><a href="/orders">${m.title}</a></p><h1>${goods(order)}</h1>
${noticeBox(notice)}
${papers.length === 0 ? '' : html`<div class="actions noprint">${papers}</div>`}
${isPaid ? html`<p class="hint noprint" data-print-hint>${m.printHint}</p>` : ''}
${receipt(page, model)}
${isPaid ? html`<p class="hint noprint"><a href="/profile#billing">${m.changeBilling}</a></p>` : ''}
${withdrawal(page, order, sent)}${brought(page, order)}
<p class="noprint hint">${m.question} <a href="/support?${question.toString()}#write">${page.m.support.write}</a></p>`,
  });
};

/** The orders, invoices and subscriptions of the account. */
export const addOrderPages = (paths: Paths): void => {
  const { parts } = paths.settings;
  const { accounts, catalogs, findFormerWithdrawal, listInvoices, listOrders, listPaymentMethods, listSubscriptions } =
    parts;
  const { listPurchases, showOrder, withdrawFromOrder } = parts;
  const invoicesOf = async (account_id: number, locale: Locale) =>
    (await listInvoices({ account_id, locale, query: { status: null, limit: EVERY_INVOICE, after: null } })).invoices;

  paths.own('/orders', async ({ session, locale, query }) => {
    const of = { account_id: session.account_id, locale };
    const [{ orders }, { subscriptions }, { payment_methods }, invoices, { products, bundles }] = await Promise.all([
      listOrders(of),
      listSubscriptions(of),
      listPaymentMethods(of),
      invoicesOf(of.account_id, locale),
      catalogs.current(),
    ]);
    const bills = billsOf(orders, invoices);
    const turn = Math.min(idIn(query.get('page')) ?? 1, Math.ceil(bills.length / BILLS_SHOWN) || 1);
    const first = (turn - 1) * BILLS_SHOWN;
    const nameOf = nameIn(products, orders, locale);
    const named = subscriptions.map((one) => ({ ...one, name: nameOf(one) }));
    const purchases = named.some(canRenew) ? await listPurchases(of) : [];
    const owned = purchases.filter(({ license }) => license.state === 'active').map(({ id }) => id);
    const listed = named.map((one) => ({ ...one, included: includedIn(one, named, { owned, bundles }) }));
    const model = {
      subscriptions: listed.toSorted((a, b) => needRank(a) - needRank(b)),
      methods: payment_methods,
      turn,
    };
    const rest = { bills: bills.slice(first, first + BILLS_SHOWN), hasMore: bills.length > first + BILLS_SHOWN };
    return show((page) => ordersView(page, { ...model, ...rest }));
  });

  /** A withdrawal is a declaration to the shop: it opens one ticket, which the buyer sees under Support. */
  paths.boundedForm('/orders/withdraw', '/orders', async ({ session, form, permit, language }) => {
    const { orders: m } = MESSAGES[language];
    const text = (number: string) => ({ summary: m.withdrawalSubject(number), detail: m.withdrawalText(number) });
    const order_id = form.id('order');
    const done = await withdrawFromOrder(permit, { account_id: session.account_id, order_id, locale: language, text });
    if (!done.ok && done.code === 'order_not_found') return show(notFoundView, 404, '/orders');
    return goTo(`/orders/${order_id}?done=${done.ok ? 'withdrawn' : 'late'}`);
  });

  paths.own('/orders/:order', async ({ req, session, locale, query }): Promise<Answer> => {
    const of = { account_id: session.account_id, locale };
    const [found, invoices, account] = await Promise.all([
      showOrder({ ...of, order_id: idIn(String(req.params['order'])) }),
      invoicesOf(of.account_id, locale),
      accounts.get(of.account_id),
    ]);
    if (!found.ok) return show(notFoundView, 404, '/orders');
    const { order } = found.value;
    const notice = noticeIn(query, {
      done: ({ orders: { withdrawn } }) => ({ withdrawn }),
      faults: ({ orders: { withdrawLate } }) => ({ late: withdrawLate }),
    });
    const own = invoices.filter(({ order_id }) => order_id === order.id);
    const sent = order.withdrawal ?? (await findFormerWithdrawal(of.account_id, order.id));
    const billed = billedTo(account?.billing, { billing: order.billing ?? undefined });
    return show((page) => orderView(page, { order, invoices: own, billed, sent, notice: notice(page.m) }));
  });
};
