import { html } from 'hono/html';
import { moneyText } from '../../../../domain/billing/money.ts';
import { TRANSACTION_HEAD, transactionLines } from '../../../../domain/billing/transactions.ts';
import type { Language } from '../../../../domain/shared/language.ts';
import { inLocale } from '../../../../domain/shared/locale.ts';
import { refuse } from '../../../../domain/shared/outcome.ts';
import { dayText } from '../../../../domain/shared/wording.ts';
import type { AnswerIn } from '../../../../ports/inbound/endpoint.ts';
import { listTransactions, showSums } from '../../../../ports/inbound/shop/orders.ts';
import { listShopProducts } from '../../../../ports/inbound/shop/products.ts';
import { emptyBox, type Html, noticeBox } from '../../shared/pieces.ts';
import { sales as en } from '../messages/en/sales.ts';
import { sales as ko } from '../messages/ko/sales.ts';
import { shellWords } from '../messages/shell.ts';
import { type ConsoleAnswer, type ConsolePage, inBoth, show } from '../page.ts';
import { blocked, type ConsolePaths, type MemberVisit } from '../paths.ts';
import { layout } from '../views/layout.ts';
import { figures, folded, hereWith, list, section, tabs } from '../views/pieces.ts';

const words = inBoth({ en, ko });

const PERIODS = [7, 30, 90, 365] as const;

type Report = AnswerIn<typeof showSums>;
type Sums = Report['totals'][number];

/** The products by id, for their names and pages. */
export type Names = ReadonlyMap<number, { readonly name: string; readonly slug: string }>;

export const namesOf = async ({ glance }: ConsolePaths, visit: MemberVisit): Promise<(page: ConsolePage) => Names> => {
  const products = await glance(visit, listShopProducts, { query: { limit: 1000 } });
  return ({ locale }) =>
    new Map(
      products?.data.map(({ product: { id, slug, name } }) => [id, { slug, name: inLocale(name, locale) ?? slug }]),
    );
};

/** The names of the payment providers, as they write them. */
export const PROVIDERS: Readonly<Record<string, string>> = {
  stripe: 'Stripe',
  paddle: 'Paddle',
  polar: 'Polar',
};

/** The payment provider of an order, as people call it. */
export const providerName = (page: ConsolePage, provider: string | null): string => {
  const m = words(page);
  return provider === null ? m.noProvider : provider === 'shop' ? m.shop : (PROVIDERS[provider] ?? provider);
};

/** The days, or the months of a long period, from the first to the last, in which something was sold or refunded or not. */
const stretch = ({ from, to, days }: Report, currency: string, byMonth: boolean) => {
  const keyOf = (day: string): string => (byMonth ? day.slice(0, 7) : day);
  const rows = new Map<string, { gross: number; refunded: number; tax: number; net: number; orders: number }>();
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000) {
    rows.set(keyOf(new Date(at).toISOString().slice(0, 10)), { gross: 0, refunded: 0, tax: 0, net: 0, orders: 0 });
  }
  for (const one of days) {
    const row = one.currency === currency ? rows.get(keyOf(one.day)) : undefined;
    if (!row) continue;
    row.gross += one.gross_cents;
    row.refunded += one.refunded_cents;
    row.tax += one.tax_cents - one.refunded_tax_cents;
    row.net += one.net_cents;
    row.orders += one.orders;
  }
  return [...rows].map(([key, row]) => ({ key, ...row }));
};

type Bar = ReturnType<typeof stretch>[number];

/** The amounts as bars: sales upwards, refunds downwards. The table below has the same numbers. */
const chart = (bars: readonly Bar[]): Html => {
  const most = (name: 'gross' | 'refunded'): number => Math.max(0, ...bars.map((bar) => bar[name]));
  const [up, down] = [most('gross'), most('refunded')];
  const scale = 100 / Math.max(1, up + down);
  const zero = up * scale;
  const bar = (kind: string, n: number, y: number, height: number): Html | '' =>
    height > 0
      ? html`<rect class="${kind}" x="${(n * 10 + 1).toString()}" y="${y.toFixed(2)}" width="8" height="${Math.max(height, 0.75).toFixed(2)}"/>`
      : '';
  return html`<svg class="chart" viewBox="0 0 ${String(bars.length * 10)} 101" preserveAspectRatio="none" aria-hidden="true">${bars.map(
    ({ gross, refunded }, n) =>
      html`${bar('up', n, zero - gross * scale, gross * scale)}${bar('down', n, zero, refunded * scale)}`,
  )}<rect class="zero" x="0" y="${zero.toFixed(2)}" width="${String(bars.length * 10)}" height="0.5"/></svg>`;
};

const monthText = (language: Language, month: string): string =>
  new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    new Date(`${month}-15`),
  );

const currencyPart = (page: ConsolePage, report: Report, sums: Sums): Html => {
  const m = words(page);
  const { currency } = sums;
  const money = (cents: number): string => moneyText(page.language, cents, currency);
  const byMonth = Date.parse(report.to) - Date.parse(report.from) > 92 * 86_400_000;
  const bars = stretch(report, currency, byMonth);
  const keyText = (key: string): string =>
    byMonth ? monthText(page.language, key) : dayText(page.language, `${key}T00:00:00.000Z`);
  const rows = bars.filter(({ orders, gross, refunded }) => orders !== 0 || gross !== 0 || refunded !== 0).reverse();
  return section(
    currency,
    html`${figures([
      { label: m.net, value: money(sums.net_cents), note: m.netNote },
      { label: m.gross, value: money(sums.gross_cents) },
      { label: m.refunds, value: money(sums.refunded_cents) },
      {
        label: m.tax,
        value: money(sums.tax_cents - sums.refunded_tax_cents),
        ...(sums.refunded_tax_cents > 0 && { note: m.taxNote(money(sums.tax_cents), money(sums.refunded_tax_cents)) }),
      },
      { label: m.orders, value: String(sums.orders), note: m.units(sums.units) },
      ...(sums.disputed_cents > 0
        ? [{ label: m.disputed, value: money(sums.disputed_cents), note: m.disputedNote }]
        : []),
    ])}
${chart(bars)}
${folded(
  byMonth ? m.byMonth : m.byDay,
  list(page, {
    caption: `${byMonth ? m.byMonth : m.byDay}, ${currency}`,
    columns: [byMonth ? m.month : m.day, m.orders, m.gross, m.refunds, m.tax, m.net],
    numbers: [1, 2, 3, 4, 5],
    rows: rows.map(({ key, orders, gross, refunded, tax, net }) => ({
      cells: [keyText(key), String(orders), ...[gross, refunded, tax, net].map(money)],
    })),
    empty: { title: m.none, text: m.noneText },
  }),
)}`,
  );
};

/** A part of the sums in a table: by product or by provider. */
const partList = (
  page: ConsolePage,
  heading: string,
  caption: string,
  rows: readonly (Sums & { readonly text: string; readonly href?: string | undefined })[],
): Html => {
  const m = words(page);
  const money = (cents: number, currency: string): string => moneyText(page.language, cents, currency);
  return section(
    caption,
    list(page, {
      caption,
      columns: [heading, m.orders, m.gross, m.refunds, m.tax, m.net],
      numbers: [1, 2, 3, 4, 5],
      rows: [...rows]
        .sort((a, b) => (a.currency === b.currency ? b.net_cents - a.net_cents : a.currency < b.currency ? -1 : 1))
        .map(({ text, href, orders, currency, ...one }) => ({
          ...(href !== undefined && { href }),
          cells: [
            text,
            String(orders),
            ...[one.gross_cents, one.refunded_cents, one.tax_cents - one.refunded_tax_cents, one.net_cents].map(
              (cents) => money(cents, currency),
            ),
          ],
        })),
      empty: { title: m.none, text: m.noneText },
    }),
  );
};

/** The most sales and refunds in a file of the console; the command has no limit. */
const MOST_LINES = 20_000;

/** The file of a period for the books, or the reason why there is none. */
const csvFile = async (paths: ConsolePaths, visit: MemberVisit): Promise<ConsoleAnswer> => {
  const lines = [TRANSACTION_HEAD];
  let [from, to, after, count] = [visit.query.get('from'), visit.query.get('to'), null as string | null, 0];
  do {
    const answer = await paths.ask(visit, listTransactions, { query: { from, to, after, limit: 1000 } });
    if (!answer.ok) return blocked(answer);
    ({ from, to, next_after: after } = answer.value);
    count += answer.value.data.length;
    if (count > MOST_LINES) return blocked(refuse('shop_refused', { message: words(visit).tooLong(MOST_LINES) }));
    lines.push(transactionLines(answer.value.data));
  } while (after !== null);
  return { file: { name: `sales-${from}-${to}.csv`, type: 'text/csv', text: lines.join('') } };
};

/** The form that loads the file of a period. */
const csvForm = (page: ConsolePage, { from, to }: Report): Html => {
  const m = words(page);
  const day = (name: string, label: string, value: string): Html =>
    html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="date" value="${value}" required></div>`;
  return section(
    m.csv,
    html`<p>${m.csvText}</p><form action="/sales/csv" class="filters">${day('from', m.from, from)}${day('to', m.to, to)}<button>${m.load}</button></form>`,
  );
};

/** The sums of sales of a period. */
export const addSalesPages = (paths: ConsolePaths): void => {
  paths.section('sales', [showSums]);
  paths.page('/sales/csv', [listTransactions], (visit) => csvFile(paths, visit));

  paths.page('/sales', [showSums], async (visit) => {
    const asked = Number(visit.query.get('days'));
    const days = PERIODS.find((one) => one === asked) ?? 30;
    const [answer, names] = await Promise.all([paths.ask(visit, showSums, { query: { days } }), namesOf(paths, visit)]);
    if (!answer.ok) return blocked(answer);
    const report = answer.value;
    return show((page) => {
      const m = words(page);
      const known = names(page);
      const dayWords = (day: string): string => dayText(page.language, `${day}T00:00:00.000Z`);
      const period = tabs(
        m.periods,
        PERIODS.map((one) => ({
          href: hereWith(page, { days: String(one) }),
          text: one === 365 ? m.year : m.days(one),
          current: one === days,
        })),
      );
      const products = report.products.map(({ product_id, ...one }) => {
        const product = known.get(product_id ?? 0);
        const text = product_id === null ? m.other : (product?.name ?? m.unnamed(product_id));
        const isLinked = product && page.sections.has('products');
        return { ...one, text, href: isLinked ? `/products/${encodeURIComponent(product.slug)}` : undefined };
      });
      const providers = report.providers.map(({ provider, ...one }) => ({
        ...one,
        text: providerName(page, provider),
      }));
      return layout(page, {
        title: shellWords(page).sections.sales,
        section: 'sales',
        lead: m.between(dayWords(report.from), dayWords(report.to)),
        body: html`${period}${report.is_complete ? '' : noticeBox({ kind: 'done', text: m.counting })}
${
  report.totals.length === 0
    ? emptyBox(m.none, m.noneText)
    : html`${report.totals.map((sums) => currencyPart(page, report, sums))}
${partList(page, m.product, m.byProduct, products)}
${partList(page, m.provider, m.byProvider, providers)}`
}
${csvForm(page, report)}`,
      });
    });
  });
};
