import { html } from 'hono/html';
import type { ErrorType } from '../../../../domain/support/error-report.ts';
import type { AnswerIn } from '../../../../ports/inbound/endpoint.ts';
import { listShopProducts, showUsage } from '../../../../ports/inbound/shop/products.ts';
import { listReports, listVersionsInUse, showReport } from '../../../../ports/inbound/shop/support.ts';
import { goTo } from '../../account/answer.ts';
import { moment } from '../../shared/dates.ts';
import { emptyBox, facts, type Html } from '../../shared/pieces.ts';
import { errors as en } from '../messages/en/errors.ts';
import { errors as ko } from '../messages/ko/errors.ts';
import { shellWords } from '../messages/shell.ts';
import { type ConsolePage, inBoth, show } from '../page.ts';
import { allows, blocked, type ConsolePaths } from '../paths.ts';
import { layout } from '../views/layout.ts';
import { badge, figures, filters, folded, list, section, tabs } from '../views/pieces.ts';

const words = inBoth({ en, ko });

const SHOWN = 50;

/** The stretches of days that the usage page offers. */
const DAYS = [7, 30, 90] as const;

type Listed = AnswerIn<typeof listReports>;
type Group = NonNullable<AnswerIn<typeof showReport>['group']>;
type Usage = AnswerIn<typeof showUsage>['days'];
type Product = AnswerIn<typeof listShopProducts>['data'][number]['product'];

const numberText = ({ language }: ConsolePage, number: number): string => number.toLocaleString(language);

const kindBadge = (page: ConsolePage, type: string): Html =>
  badge(words(page).kinds[type as ErrorType] ?? type, type === 'crash' ? 'bad' : '');

const versionsText = (page: ConsolePage, versions: readonly string[] = []): string => {
  const [newest = '', ...others] = versions.toReversed();
  return others.length === 0 ? newest : words(page).moreVersions(newest, others.length);
};

/** The parts of the section that the member may open. */
const parts = (page: ConsolePage, current: 'errors' | 'inUse' | 'usage'): Html =>
  tabs(words(page).parts, [
    { href: '/errors', text: words(page).errors, current: current === 'errors' },
    { href: '/errors/versions', text: words(page).inUse, current: current === 'inUse' },
    ...(allows(page.member, [showUsage])
      ? [{ href: '/errors/usage', text: words(page).usage, current: current === 'usage' }]
      : []),
  ]);

const listView = (page: ConsolePage, { data, next_after }: Listed): Html => {
  const m = words(page);
  return layout(page, {
    title: shellWords(page).sections.errors,
    section: 'errors',
    body: html`${parts(page, 'errors')}
${list(page, {
  caption: m.errors,
  columns: [m.error, m.kind, m.app, m.versions, m.times, m.last],
  numbers: [4],
  rows: data.map(({ id, title, type, app_bundle_id, versions, reports, last_seen }) => ({
    href: `/errors/${id}`,
    cells: [
      title || m.unnamed,
      kindBadge(page, type),
      app_bundle_id ?? '',
      versionsText(page, versions),
      numberText(page, reports),
      moment(page, last_seen),
    ],
  })),
  empty: { title: m.none, text: m.noneText },
  next: next_after,
})}`,
  });
};

const groupView = (page: ConsolePage, group: Group, { count, reports = [] }: AnswerIn<typeof showReport>): Html => {
  const m = words(page);
  const report = (one: (typeof reports)[number]): Html =>
    folded(
      `${one.app_version} · ${one.error_message.split('\n', 1)[0]?.slice(0, 100) ?? ''}`,
      html`${facts([
        [m.last, moment(page, one.received_at)],
        [m.message, one.error_message],
        [m.system, one.os_version],
        [m.device, one.device_model],
      ])}${one.stack_trace === null ? '' : html`<h3>${m.trace}</h3><pre tabindex="0">${one.stack_trace}</pre>`}`,
    );
  return layout(page, {
    title: group.title || m.unnamed,
    section: 'errors',
    up: { href: '/errors', text: m.errors },
    badge: kindBadge(page, group.error_type),
    body: html`${section(
      m.facts,
      facts([
        [m.times, numberText(page, count)],
        [m.first, moment(page, group.first_seen)],
        [m.last, moment(page, group.last_seen)],
        [m.app, group.app_bundle_id],
        [m.versions, group.versions.toReversed().join(', ') || null],
      ]),
    )}
${section(m.reports, html`<p class="hint">${m.reportsText}</p>${reports.length === 0 ? html`<p class="none">${m.noReports}</p>` : reports.map(report)}`)}`,
  });
};

const usageForm = (page: ConsolePage, products: readonly Product[], product: string | null, days: number): Html => {
  const m = words(page);
  const named = products.map(({ slug, name }) => [slug, name[page.locale] ?? name.en ?? name.ko ?? slug] as const);
  return filters('/errors/usage', m.show, [
    { name: 'product', label: m.product, chosen: product ?? '', options: [['', m.every], ...named] },
    {
      name: 'days',
      label: m.days,
      chosen: String(days),
      options: DAYS.map((one) => [String(one), String(one)] as const),
    },
  ]);
};

const usageList = (page: ConsolePage, usage: Usage, days: number): Html => {
  const m = words(page);
  const sum = usage.reduce((all, { launches }) => all + launches, 0);
  return html`${sum === 0 ? '' : figures([{ label: m.launchesOf(days), value: numberText(page, sum) }])}
${list(page, {
  caption: m.usage,
  columns: [m.day, m.launches, m.accounts, m.keys, m.commands],
  numbers: [1, 2, 3],
  rows: (sum === 0 ? [] : usage)
    .toSorted((a, b) => (a.date < b.date ? 1 : -1))
    .map(({ date, launches, accounts, keys, commands }) => ({
      cells: [
        html`<time datetime="${date}">${new Date(date).toLocaleDateString(page.language, { timeZone: 'UTC', dateStyle: 'medium' })}</time>`,
        ...[launches, accounts, keys].map((count) => numberText(page, count)),
        Object.keys(commands).slice(0, 3).join(', '),
      ],
    })),
  empty: { title: m.noUsage, text: m.noUsageText },
})}`;
};

type InUse = AnswerIn<typeof listVersionsInUse>['products'][number];

const versionsOf = (page: ConsolePage, { slug, devices, versions, others }: InUse): Html => {
  const m = words(page);
  const share = new Intl.NumberFormat(page.language, { style: 'percent', maximumFractionDigits: 1 });
  const row = (text: string, many: number) => ({
    cells: [text, numberText(page, many), share.format(many / devices)],
  });
  const caption = m.devicesOf(slug, numberText(page, devices));
  const rows = versions.map((one) => row(one.version ?? m.noVersion, one.devices));
  return section(
    caption,
    list(page, {
      caption,
      columns: [m.version, m.devices, m.share],
      numbers: [1, 2],
      rows: [...rows, ...(others > 0 ? [row(m.otherVersions, others)] : [])],
      empty: { title: m.noVersions, text: m.noVersionsText },
    }),
  );
};

/** The errors of applications, equal ones as one, and the usage of products by day. */
export const addErrorPages = (paths: ConsolePaths): void => {
  const { ask, glance } = paths;
  paths.section('errors', [listReports]);

  paths.page('/errors', [listReports], async (visit) => {
    const query = { kind: 'error', after: visit.query.get('after'), limit: SHOWN };
    const listed = await ask(visit, listReports, { query });
    return listed.ok ? show((page) => listView(page, listed.value)) : blocked(listed);
  });

  paths.page('/errors/usage', [showUsage], async (visit) => {
    const product = visit.query.get('product') || null;
    const days = DAYS.find((one) => String(one) === visit.query.get('days')) ?? 30;
    const [usage, products] = await Promise.all([
      ask(visit, showUsage, { query: { product, days } }),
      glance(visit, listShopProducts, { query: { limit: 1000 } }),
    ]);
    if (!usage.ok) return blocked(usage);
    return show((page) =>
      layout(page, {
        title: words(page).usage,
        section: 'errors',
        body: html`${parts(page, 'usage')}
${usageForm(page, products?.data.map((one) => one.product) ?? [], product, days)}
${usageList(page, usage.value.days, days)}`,
      }),
    );
  });

  paths.page('/errors/versions', [listVersionsInUse], async (visit) => {
    const answer = await ask(visit, listVersionsInUse);
    if (!answer.ok) return blocked(answer);
    const { products } = answer.value;
    return show((page) => {
      const m = words(page);
      return layout(page, {
        title: m.inUse,
        lead: m.inUseLead,
        section: 'errors',
        body: html`${parts(page, 'inUse')}
${products.length === 0 ? emptyBox(m.noVersions, m.noVersionsText) : products.map((one) => versionsOf(page, one))}`,
      });
    });
  });

  paths.page('/errors/:error', [showReport], async (visit) => {
    const id = String(visit.req.params['error']);
    const report = await ask(visit, showReport, { params: { report: id } });
    if (!report.ok) return blocked(report);
    const { group } = report.value;
    return group ? show((page) => groupView(page, group, report.value)) : goTo(`/tickets/${id}`);
  });
};
