import { html } from 'hono/html';
import { moneyText } from '../../../../domain/billing/money.ts';
import { DAY_MS } from '../../../../domain/shared/instant.ts';
import type { AnswerIn } from '../../../../ports/inbound/endpoint.ts';
import { listDueSubscriptions, listShopOrders, showSums } from '../../../../ports/inbound/shop/orders.ts';
import { listShopProducts } from '../../../../ports/inbound/shop/products.ts';
import { listEvents } from '../../../../ports/inbound/shop/sales.ts';
import { examineShop } from '../../../../ports/inbound/shop/search.ts';
import { listReports } from '../../../../ports/inbound/shop/support.ts';
import { moment } from '../../shared/dates.ts';
import type { Html } from '../../shared/pieces.ts';
import { today as en } from '../messages/en/today.ts';
import { today as ko } from '../messages/ko/today.ts';
import { shellWords } from '../messages/shell.ts';
import { type ConsolePage, inBoth, show } from '../page.ts';
import type { ConsolePaths } from '../paths.ts';
import { type SectionId, sectionPath } from '../sections.ts';
import { apiText } from '../views/blocked.ts';
import { layout } from '../views/layout.ts';
import { badge, figures, list, section } from '../views/pieces.ts';
import { orderState } from './orders.ts';

const words = inBoth({ en, ko });

/** The most records of a kind that are counted; more show as `50+`. */
const MOST = 50;

/** Something that waits for the shop, with the page on which it is done. */
type Waiting = {
  readonly count: number;
  /** True if more were not read. */
  readonly isMore?: boolean;
  readonly text: 'withdrawals' | 'tickets' | 'events' | 'failing';
  readonly section: SectionId;
  readonly query: string;
};

const countText = ({ count, isMore = false }: Waiting): string =>
  isMore || count > MOST ? `${Math.min(count, MOST)}+` : String(count);

const waitingList = (page: ConsolePage, waiting: readonly Waiting[]): Html => {
  const m = words(page);
  const rows = waiting.filter(({ count }) => count > 0);
  const name = ({ text, section, query }: Waiting): Html | string =>
    page.sections.has(section) ? html`<a href="/${section}${query}">${m[text]}</a>` : m[text];
  return rows.length === 0
    ? html`<p class="none">${m.nothing}</p>`
    : html`<ul class="todo">${rows.map((row) => html`<li><strong>${countText(row)}</strong> ${name(row)}</li>`)}</ul>`;
};

/** A step before the first sale, with the link to its section. */
const way = (page: ConsolePage, id: SectionId, text: string): Html =>
  html`<li>${page.sections.has(id) ? html`<a href="${sectionPath(id)}">${text}</a>` : text}</li>`;

type Sums = AnswerIn<typeof showSums>;

/** The days of the periods that are compared with the ones before. */
const PERIODS = { day: 1, week: 7, month: 30 } as const;
const LONGEST = PERIODS.month;

/** The net amounts of a currency by period, each beside the period before. */
const amounts = (page: ConsolePage, { days, to }: Sums, currency: string) => {
  const m = words(page);
  const ago = (day: string): number => Math.round((Date.parse(to) - Date.parse(day)) / DAY_MS);
  const net = (from: number, until: number): string => {
    const within = days.filter((one) => one.currency === currency && ago(one.day) >= from && ago(one.day) < until);
    return moneyText(
      page.language,
      within.reduce((sum, { net_cents }) => sum + net_cents, 0),
      currency,
    );
  };
  return Object.entries(PERIODS).map(([name, length]) => ({
    label: m.periods[name as keyof typeof PERIODS],
    value: net(0, length),
    note: m.before(net(length, 2 * length)),
    ...(page.sections.has('sales') && { href: `/sales?days=${Math.max(length, 7)}` }),
  }));
};

type Orders = AnswerIn<typeof listShopOrders>['data'];

const orderList = (page: ConsolePage, orders: Orders): Html => {
  const m = words(page);
  const isLinked = page.sections.has('orders');
  return list(page, {
    caption: m.orders,
    columns: [m.order, m.day, m.customer, m.state, m.total],
    numbers: [4],
    rows: orders.map(({ id, number, ordered_at, account_email, status, total_cents, currency }) => ({
      ...(isLinked && { href: `/orders/id:${id}` }),
      cells: [
        html`<span class="whole">${number}</span>`,
        moment(page, ordered_at),
        account_email ?? '',
        orderState(page, status),
        moneyText(page.language, total_cents, currency),
      ],
    })),
    empty: { title: m.noOrders, text: m.noOrdersText },
  });
};

/** The page of the day: what waits for the shop, and the newest orders. */
export const addTodayPages = (paths: ConsolePaths): void => {
  const { glance } = paths;
  paths.section('today', []);

  paths.page('/', [], async (visit) => {
    const [tickets, events, failing, sums, examined, orders, products] = await Promise.all([
      glance(visit, listReports, { query: { kind: 'support', status: 'open', sort: 'waiting', limit: MOST + 1 } }),
      glance(visit, listEvents, { query: { only: 'refused', limit: MOST + 1 } }),
      glance(visit, listDueSubscriptions, { query: { state: 'failing', limit: MOST + 1 } }),
      glance(visit, showSums, { query: { days: 2 * LONGEST } }),
      glance(visit, examineShop),
      glance(visit, listShopOrders, { query: { limit: 10 } }),
      glance(visit, listShopProducts, { query: { limit: 1 } }),
    ]);
    const open = tickets?.data ?? [];
    const isMore = open.length > MOST;
    const withdrawals = open.filter(({ type }) => type === 'withdrawal').length;
    const asked = open.filter(({ type, waits_since = null }) => type !== 'withdrawal' && waits_since !== null).length;
    const waiting: Waiting[] = [
      { count: withdrawals, isMore, text: 'withdrawals', section: 'tickets', query: '' },
      { count: asked, isMore, text: 'tickets', section: 'tickets', query: '' },
      { count: events?.data.length ?? 0, text: 'events', section: 'events', query: '' },
      { count: failing?.data.length ?? 0, text: 'failing', section: 'subscriptions', query: '?state=failing' },
    ];
    // The steps before the first sale say that there are no products.
    const findings = (examined?.findings ?? []).filter(
      ({ kind, check }) => kind !== 'fine' && !(check === 'catalog' && products?.data.length === 0),
    );
    return show((page) => {
      const m = words(page);
      const steps = [
        ...(products?.data.length === 0 ? [way(page, 'products', m.addProduct)] : []),
        ...(page.shop.storefront?.name === undefined ? [way(page, 'look', m.look)] : []),
      ];
      return layout(page, {
        title: shellWords(page).sections.today,
        section: 'today',
        body: html`${steps.length === 0 || orders?.data.length ? '' : section(m.firstSale, html`<ul class="todo">${steps}</ul>`)}
${section(m.waiting, waitingList(page, waiting))}
${sums?.totals.length ? html`<h2>${m.sold}</h2>${figures(sums.totals.flatMap(({ currency }) => amounts(page, sums, currency)))}` : ''}
${findings.length === 0 ? '' : section(m.wrong, html`<ul class="todo">${findings.map(({ kind, check, message }) => html`<li>${badge(m.checks[check] ?? check, kind === 'wrong' ? 'bad' : 'due')} ${apiText(message)}</li>`)}</ul>`)}
${orders === null ? '' : html`<h2>${m.orders}</h2>${orderList(page, orders.data)}`}`,
      });
    });
  });
};
