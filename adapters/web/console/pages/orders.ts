import { html } from 'hono/html';
import { moneyText } from '../../../../domain/billing/money.ts';
import {
  ORDER_STATUS_LABELS,
  ORDER_STATUSES,
  type OrderStatus,
  UNPAID_STATUSES,
} from '../../../../domain/billing/order.ts';
import {
  SUBSCRIPTION_STATUS_LABELS,
  type SubscriptionStatus,
} from '../../../../domain/billing/subscription-standing.ts';
import { GRANT_STATUS_LABELS, type GrantStatus } from '../../../../domain/licensing/entitlement.ts';
import { dayOf, toInstant } from '../../../../domain/shared/instant.ts';
import { inLocale } from '../../../../domain/shared/locale.ts';
import type { AnswerIn } from '../../../../ports/inbound/endpoint.ts';
import * as shop from '../../../../ports/inbound/shop/orders.ts';
import { listShopProducts } from '../../../../ports/inbound/shop/products.ts';
import { day, dayIn, moment } from '../../shared/dates.ts';
import { checkbox, emptyBox, facts, type Html } from '../../shared/pieces.ts';
import { fieldsOf } from '../fields.ts';
import { orders as en } from '../messages/en/orders.ts';
import { orders as ko } from '../messages/ko/orders.ts';
import { shellWords } from '../messages/shell.ts';
import { type ConsoleAnswer, type ConsolePage, inBoth, show } from '../page.ts';
import { allows, blocked, type ConsolePaths, done, type MemberVisit, refused } from '../paths.ts';
import { dangerForm, form } from '../views/form.ts';
import { layout } from '../views/layout.ts';
import { badge, hereWith, list, section, tabs } from '../views/pieces.ts';
import { priceTerms, productName, storedProduct } from './products.ts';
import { type Names, namesOf, providerName } from './sales.ts';

const words = inBoth({ en, ko });

const PAGE_ROWS = 50;

/** The states by which the list is filtered. */
const FILTERS: readonly OrderStatus[] = ['paid', 'disputed', 'withdrawn', 'partially_refunded', 'refunded', 'pending'];

type Order = AnswerIn<typeof shop.describeOrder>['order'];
type Described = AnswerIn<typeof shop.describeOrder>;
type Tried = AnswerIn<typeof shop.refundOrder>;

const KINDS: Readonly<Partial<Record<OrderStatus, 'good' | 'due' | 'bad'>>> = {
  paid: 'good',
  pending: 'due',
  withdrawn: 'due',
  disputed: 'bad',
};

/** The states in which nothing is left to refund. */
const UNREFUNDABLE: ReadonlySet<OrderStatus> = new Set(['pending', 'cancelled', 'refunded']);

/** The state of an order. */
export const orderState = (page: ConsolePage, status: OrderStatus): Html =>
  badge(ORDER_STATUS_LABELS[status][page.locale], KINDS[status]);

const orderBadges = (page: ConsolePage, { status, test }: Order): Html =>
  html`${orderState(page, status)}${test ? html` ${badge(words(page).test)}` : ''}`;

/** The address of an order's page. A number may look like an id, so the id is named as one. */
const pathOf = ({ id }: Pick<Order, 'id'>, ...more: readonly string[]): string =>
  ['/orders', `id:${id}`, ...more].join('/');

const itemName = (page: ConsolePage, { product_id, product_name }: Order['items'][number], names: Names): string =>
  (product_name && inLocale(product_name, page.locale)) ??
  (product_id === null ? words(page).other : (names.get(product_id)?.name ?? String(product_id)));

const customerLink = (page: ConsolePage, account: number, email: string | null): Html | string =>
  email !== null && page.sections.has('customers')
    ? html`<a href="/customers/${String(account)}">${email}</a>`
    : (email ?? words(page).erased);

const money = (page: ConsolePage, cents: number, { currency }: Pick<Order, 'currency'>): string =>
  moneyText(page.language, cents, currency);

/** The history of an order, newest first. */
const history = (page: ConsolePage, order: Order): Html => {
  const m = words(page);
  const events: (readonly [string, Html | string])[] = [
    [order.ordered_at, m.ordered],
    ...(order.paid_at === null ? [] : [[order.paid_at, m.paid] as const]),
    ...(order.refunds ?? []).map(({ refunded_at, kind, keeps_access, reason, amount_cents, item_ids }) => {
      const items = order.items.filter(({ id }) => item_ids === null || item_ids.includes(id));
      const cents =
        amount_cents ?? (item_ids === null ? order.total_cents : items.reduce((sum, one) => sum + one.total_cents, 0));
      const text = kind === 'dispute' ? m.disputed : m.refunded(money(page, cents, order));
      return [
        refunded_at,
        html`${text}${keeps_access ? `, ${m.kept}` : ''}${reason === null ? '' : html`<br><small>${reason}</small>`}`,
      ] as const;
    }),
    ...(order.withdrawal ? [[order.withdrawal.declared_at, m.withdrawn] as const] : []),
  ];
  const newestFirst = events.sort(([a], [b]) => (a < b ? 1 : -1));
  return html`<ul class="todo">${newestFirst.map(([at, text]) => html`<li>${moment(page, at)} <span>${text}</span></li>`)}</ul>`;
};

const orderView = (page: ConsolePage, described: Described, names: Names): Html => {
  const m = words(page);
  const { order, account_email, entitlements, subscriptions, withdraw_until, withdrawal_bar } = described;
  const namesOfAll = (ids: readonly number[]) => ids.map((id) => names.get(id)?.name ?? String(id)).join(', ');
  const given = [
    ...entitlements.map(({ product_id, status, edition }) => {
      const label = GRANT_STATUS_LABELS[status as GrantStatus][page.locale];
      const what = [namesOfAll([product_id]), ...(edition === undefined ? [] : [edition])].join(', ');
      return [m.gaveLicense, what, label, status === 'active'] as const;
    }),
    ...subscriptions.map(({ product_ids, standing: { status } }) => {
      const label = SUBSCRIPTION_STATUS_LABELS[status as SubscriptionStatus][page.locale];
      return [m.gaveSubscription, namesOfAll(product_ids), label, status === 'active'] as const;
    }),
  ];
  const mayRefund = allows(page.member, [shop.refundOrder]) && !UNREFUNDABLE.has(order.status);
  const isOpen = order.status === 'pending' && order.source?.provider === 'shop';
  const name = order.subscription_name && inLocale(order.subscription_name, page.locale);
  return layout(page, {
    title: `${m.order} ${order.number}`,
    section: 'orders',
    up: { href: '/orders', text: shellWords(page).sections.orders },
    badge: orderBadges(page, order),
    ...(mayRefund && { actions: html`<a class="button" href="${pathOf(order, 'refund')}">${m.refund}</a>` }),
    body: html`${isOpen && allows(page.member, [shop.settleOrder]) ? section(m.settle, html`<p class="hint">${m.settleText}</p>${form(page, { action: pathOf(order, 'settle'), submit: m.settle })}`) : ''}
<div class="two">${section(
      m.facts,
      facts([
        [m.customer, customerLink(page, order.account_id, account_email)],
        [m.ordered, moment(page, order.ordered_at)],
        [m.paid, order.paid_at === null ? null : moment(page, order.paid_at)],
        [m.total, money(page, order.total_cents, order)],
        [m.tax, order.vat_cents === null ? null : money(page, order.vat_cents, order)],
        [m.provider, order.source ? providerName(page, order.source.provider) : null],
        [m.reference, order.source?.payment ?? null],
        [m.invoice, order.invoice?.number ?? null],
        [m.subscription, name || null],
      ]),
    )}${section(m.history, html`${history(page, order)}${withdraw_until !== null && withdrawal_bar === null ? html`<p class="hint">${m.withdrawable(dayIn(page, withdraw_until))}</p>` : ''}`)}</div>
${section(
  m.items,
  list(page, {
    caption: m.items,
    columns: [m.products, m.units, m.amount],
    numbers: [2],
    rows: order.items.map((item) => ({
      cells: [itemName(page, item, names), String(item.quantity), money(page, item.total_cents, order)],
    })),
    empty: { title: m.items, text: m.nothing },
  }),
)}
${section(m.gave, given.length === 0 ? html`<p>${m.nothing}</p>` : html`<ul class="todo">${given.map(([kind, text, status, isGood]) => html`<li>${kind} <strong>${text}</strong> ${badge(status, isGood ? 'good' : '')}</li>`)}</ul>`)}
${account_email !== null && !UNPAID_STATUSES.includes(order.status) && allows(page.member, [shop.resendOrderMail]) ? section(m.mail, html`<p class="hint">${m.mailText}</p>${form(page, { action: pathOf(order, 'mail'), submit: m.mail })}`) : ''}`,
  });
};

/** The effects of a refund, in sentences. */
const effect = (
  page: ConsolePage,
  { order, changed, amount_cents, leaves_subscription }: Tried,
  keeps: boolean,
): Html => {
  const m = words(page);
  const [licenses, ended] = [changed.entitlements.length, changed.subscriptions.length];
  const lines = [
    m.wouldStatus(ORDER_STATUS_LABELS[order.status][page.locale]),
    amount_cents === null ? m.wouldRest : m.wouldAmount(money(page, amount_cents, order)),
    ...(licenses > 0 ? [m.wouldLicenses(licenses)] : []),
    ...(ended > 0 ? [m.wouldSubscriptions(ended)] : []),
    ...(keeps ? [m.wouldKeep] : []),
    ...(leaves_subscription ? [m.wouldLeave] : []),
    m.wouldMail,
  ];
  return html`<ul>${lines.map((text) => html`<li>${text}</li>`)}</ul>`;
};

type Choice = { readonly item_ids: readonly number[]; readonly keeps_access: boolean };

const refundView = (page: ConsolePage, { order }: Described, choice: Choice, tried: Tried, names: Names): Html => {
  const m = words(page);
  const path = pathOf(order, 'refund');
  const isChosen = (id: number): boolean => choice.item_ids.length === 0 || choice.item_ids.includes(id);
  return layout(page, {
    title: m.refundTitle(order.number),
    section: 'orders',
    up: { href: pathOf(order), text: `${m.order} ${order.number}` },
    badge: orderState(page, order.status),
    body: html`${section(
      m.whichItems,
      html`<form action="${path}" class="stack">${order.items.map((item) =>
        checkbox({
          name: 'item',
          value: String(item.id),
          label: itemName(page, item, names),
          note: money(page, item.total_cents, order),
          checked: isChosen(item.id),
        }),
      )}${checkbox({ name: 'keep', value: 'true', label: m.keepAccess, checked: choice.keeps_access })}<button>${m.look}</button></form>`,
    )}
${section(
  m.would,
  tried.result === 'unchanged'
    ? html`<p>${m.wouldNothing}</p>`
    : html`${effect(page, tried, choice.keeps_access)}${dangerForm(
        page,
        { action: `${path}/now`, submit: m.refundNow, label: m.refund, question: m.refundQuestion },
        ({ hidden, text }) =>
          html`${choice.item_ids.map((id) => hidden('item_ids', id))}${hidden('keeps_access', String(choice.keeps_access))}${text({ name: 'reason', label: m.reason, hint: m.reasonHint, maxlength: 255 })}`,
      )}`,
)}`,
  });
};

/** The orders of the shop, the page of each, its refund, and sales recorded by hand. */
export const addOrderPages = (paths: ConsolePaths): void => {
  const { ask } = paths;
  paths.section('orders', [shop.listShopOrders]);

  paths.page('/orders', [shop.listShopOrders], async (visit) => {
    const status = ORDER_STATUSES.find((one) => one === visit.query.get('status')) ?? null;
    const query = { status, limit: PAGE_ROWS, after: visit.query.get('after') };
    const [answer, names] = await Promise.all([ask(visit, shop.listShopOrders, { query }), namesOf(paths, visit)]);
    if (!answer.ok) return blocked(answer);
    const { data, next_after } = answer.value;
    return show((page) => {
      const m = words(page);
      const tab = (state: OrderStatus | null, text: string) => ({
        href: hereWith(page, { status: state, after: null }),
        text,
        current: state === status,
      });
      return layout(page, {
        title: shellWords(page).sections.orders,
        section: 'orders',
        ...(allows(page.member, [shop.recordSale]) && {
          actions: html`<a class="button" href="/orders/record">${m.add}</a>`,
        }),
        body: html`${tabs(m.states, [tab(null, m.all), ...FILTERS.map((state) => tab(state, ORDER_STATUS_LABELS[state][page.locale]))])}
${list(page, {
  caption: shellWords(page).sections.orders,
  columns: [m.order, m.day, m.customer, m.products, m.state, m.total],
  numbers: [5],
  rows: data.map((order) => ({
    href: pathOf(order),
    cells: [
      html`<span class="whole">${order.number}</span>`,
      day(page, order.ordered_at),
      order.account_email ?? m.erased,
      order.items.map((item) => itemName(page, item, names(page))).join(', '),
      orderBadges(page, order),
      money(page, order.total_cents, order),
    ],
  })),
  empty: status === null ? { title: m.none, text: m.noneText } : { title: m.noneSuch, text: m.noneSuchText },
  next: next_after,
})}`,
      });
    });
  });

  const recording = async (visit: MemberVisit, typed = visit.query.get('currency')): Promise<ConsoleAnswer> => {
    const products = (await paths.glance(visit, listShopProducts, { query: { limit: 1000 } }))?.data ?? [];
    const currencies = [...new Set(products.map(({ product }) => product.currency))];
    const currency = currencies.find((one) => one === typed) ?? currencies[0];
    const today = dayOf(paths.gate.settings.parts.clock.now());
    return show((page) => {
      const m = words(page);
      const options = products
        .filter(({ product }) => product.currency === currency)
        .flatMap((listed) => {
          const product = storedProduct(listed);
          const prices = product.prices?.filter(({ provider }) => provider === 'shop') ?? [];
          const name = productName(page, product);
          return prices.length > 1
            ? prices.map((price) => [`${product.slug} ${price.id}`, `${name}, ${priceTerms(page, price)}`] as const)
            : [[product.slug, name] as const];
        });
      return layout(page, {
        title: m.add,
        section: 'orders',
        up: { href: '/orders', text: shellWords(page).sections.orders },
        lead: m.recordLead,
        body:
          currency === undefined
            ? emptyBox(m.noProducts, m.noProductsText)
            : html`${
                currencies.length > 1
                  ? tabs(
                      m.currency,
                      currencies.map((one) => ({
                        href: hereWith(page, { currency: one }),
                        text: one,
                        current: one === currency,
                      })),
                    )
                  : ''
              }
${form(
  page,
  { action: '/orders/record/save', submit: m.recordGo, kind: 'main' },
  (kit) => html`${kit.text({ name: 'email', label: m.recordEmail, type: 'email', required: true, maxlength: 254 })}
${kit.text({ name: 'name', label: m.recordName, maxlength: 255 })}
${kit.select({ name: 'lines.0.product', label: m.recordProduct, hint: m.recordProductHint, options })}
${kit.number({ name: 'lines.0.quantity', label: m.recordQuantity, value: 1, min: 1, required: true })}
${kit.money({ name: 'lines.0.total_cents', label: m.recordTotal, currency, required: true })}
${kit.money({ name: 'vat_cents', label: m.recordVat, currency })}
${kit.text({ name: 'ordered_at', label: m.recordDay, type: 'date', value: today, required: true })}
${kit.text({ name: 'reference', label: m.recordReference, hint: m.recordReferenceHint, required: true, maxlength: 200 })}
${kit.check({ name: 'test', label: m.recordTest, checked: false })}${kit.hidden('currency', currency)}`,
)}`,
      });
    });
  };
  paths.page('/orders/record', [shop.recordSale], recording);

  paths.form('/orders/record/save', {}, async (visit) => {
    const { form: typed } = visit;
    const now = paths.gate.settings.parts.clock.now();
    const paidOn = typed.text('ordered_at');
    const ordered_at =
      paidOn === dayOf(now)
        ? now
        : /^\d{4}-\d\d-\d\d$/.test(paidOn)
          ? toInstant(Date.parse(`${paidOn}T12:00:00Z`) || 0)
          : paidOn;
    const { lines = [], ...fields } = fieldsOf(typed, shop.recordSale) as { lines?: readonly object[] };
    const [, product, price] = /^(\S+) (.+)$/.exec(typed.text('lines.0.product')) ?? [];
    const sold = lines.map((line) => ({ ...line, ...(price !== undefined && { product, price }) }));
    const recorded = await ask(visit, shop.recordSale, {
      body: { ...fields, lines: sold, ordered_at, changed_at: now, must_be_new: true } as never,
    });
    if (!recorded.ok) return refused(visit, recorded, await recording(visit, typed.text('currency')));
    const { order_id, reason } = recorded.value;
    const m = words(visit);
    return done(
      visit,
      order_id === null ? '/orders' : pathOf({ id: order_id }),
      reason === null ? m.recorded : m.recordedPartly,
    );
  });

  const orderAnswer = async (visit: MemberVisit): Promise<ConsoleAnswer> => {
    const params = { order: String(visit.req.params['order']) };
    const [described, names] = await Promise.all([ask(visit, shop.describeOrder, { params }), namesOf(paths, visit)]);
    return described.ok ? show((page) => orderView(page, described.value, names(page))) : blocked(described);
  };
  paths.page('/orders/:order', [shop.describeOrder], orderAnswer);

  paths.form('/orders/:order/mail', {}, async (visit) => {
    const params = { order: String(visit.req.params['order']) };
    const sent = await ask(visit, shop.resendOrderMail, { params });
    if (!sent.ok) return refused(visit, sent, await orderAnswer(visit));
    return done(visit, `/orders/${encodeURIComponent(params.order)}`, words(visit).mailed(sent.value.mailed_to));
  });

  paths.form('/orders/:order/settle', { fresh: true }, async (visit) => {
    const params = { order: String(visit.req.params['order']) };
    const settled = await ask(visit, shop.settleOrder, { params });
    // Its order may be paid meanwhile, and has no form any more beside which to say so.
    if (!settled.ok) return blocked(settled);
    const m = words(visit);
    const text = settled.value.reason === null ? m.settled : m.recordedPartly;
    return done(visit, `/orders/${encodeURIComponent(params.order)}`, text);
  });

  const refundAnswer = async (visit: MemberVisit): Promise<ConsoleAnswer> => {
    const params = { order: String(visit.req.params['order']) };
    const item_ids = visit.query.getAll('item').map(Number).filter(Number.isSafeInteger).slice(0, 100);
    const choice = { item_ids, keeps_access: visit.query.get('keep') === 'true' };
    const [described, tried, names] = await Promise.all([
      ask(visit, shop.describeOrder, { params }),
      ask(visit, shop.refundOrder, { params, body: { ...choice, trial: true } }),
      namesOf(paths, visit),
    ]);
    if (!described.ok) return blocked(described);
    if (!tried.ok) return blocked(tried);
    return show((page) => refundView(page, described.value, choice, tried.value, names(page)));
  };
  paths.page('/orders/:order/refund', [shop.refundOrder, shop.describeOrder], refundAnswer);

  paths.form('/orders/:order/refund/now', { fresh: true }, async (visit) => {
    const params = { order: String(visit.req.params['order']) };
    const refunded = await ask(visit, shop.refundOrder, { params, body: fieldsOf(visit.form, shop.refundOrder) });
    if (!refunded.ok) return refused(visit, refunded, await refundAnswer(visit));
    const { order } = refunded.value;
    return done(visit, pathOf(order), words(visit).done(order.number));
  });
};
