import { html } from 'hono/html';
import { moneyText } from '../../../../domain/billing/money.ts';
import { sizeText } from '../../../../domain/shared/wording.ts';
import { MAX_ATTACHMENT, type ReportKind } from '../../../../domain/support/ticket.ts';
import type { AnswerIn } from '../../../../ports/inbound/endpoint.ts';
import { listShopOrders } from '../../../../ports/inbound/shop/orders.ts';
import {
  answerTicket,
  closeTicket,
  listReports,
  reopenTicket,
  showReport,
} from '../../../../ports/inbound/shop/support.ts';
import { goTo } from '../../account/answer.ts';
import { moment } from '../../shared/dates.ts';
import { facts, type Html } from '../../shared/pieces.ts';
import { fieldsOf } from '../fields.ts';
import { tickets as en } from '../messages/en/tickets.ts';
import { tickets as ko } from '../messages/ko/tickets.ts';
import { shellWords } from '../messages/shell.ts';
import { type ConsoleAnswer, type ConsolePage, inBoth, show } from '../page.ts';
import { blocked, type ConsolePaths, done, type MemberVisit, refused } from '../paths.ts';
import { form } from '../views/form.ts';
import { layout } from '../views/layout.ts';
import { badge, list, section, tabs } from '../views/pieces.ts';
import { type Names, namesOf } from './sales.ts';

const words = inBoth({ en, ko });

const [TICKETS_SHOWN, ORDERS_SHOWN] = [50, 5];

type Listed = AnswerIn<typeof listReports>;
type Shown = AnswerIn<typeof showReport>;
type Ticket = NonNullable<Shown['ticket']>;
type Orders = AnswerIn<typeof listShopOrders>['data'];

const kindText = (page: ConsolePage, type: string): string =>
  type === 'withdrawal' ? words(page).withdrawal : (words(page).kinds[type as ReportKind] ?? type);

/** The address of a ticket's customer, with the link to the customer's page. */
const customerOf = (page: ConsolePage, account_id: number | undefined, email: string | null): Html | string => {
  if (email === null) return words(page).gone;
  return page.sections.has('customers') ? html`<a href="/customers/${String(account_id)}">${email}</a>` : email;
};

const ticketList = (page: ConsolePage, { data, next_after }: Listed, isOpen: boolean, names: Names): Html => {
  const m = words(page);
  return list(page, {
    caption: isOpen ? m.open : m.closed,
    columns: [m.subject, m.customer, m.product, m.about, m.number, isOpen ? m.waits : m.opened],
    rows: data.map(({ id, title, type, number = '', account_id, product_id, ...one }) => ({
      href: `/tickets/${id}`,
      cells: [
        title || m.untitled,
        customerOf(page, account_id, one.account_email ?? null),
        names.get(product_id ?? 0)?.name ?? one.app_bundle_id ?? '',
        kindText(page, type),
        html`<span class="whole">${number}</span>`,
        isOpen ? (one.waits_since ? moment(page, one.waits_since) : m.answered) : moment(page, one.first_seen),
      ],
    })),
    empty: isOpen ? { title: m.noneOpen, text: m.noneOpenText } : { title: m.noneClosed, text: m.noneClosedText },
    next: next_after,
  });
};

const listView = (page: ConsolePage, listed: Listed, isOpen: boolean, names: Names): Html => {
  const m = words(page);
  return layout(page, {
    title: shellWords(page).sections.tickets,
    section: 'tickets',
    body: html`${tabs(m.state, [
      { href: '/tickets', text: m.open, current: isOpen },
      { href: '/tickets?state=closed', text: m.closed, current: !isOpen },
    ])}
${ticketList(page, listed, isOpen, names)}`,
  });
};

/** The files of an answer or a reply; without its number, those of the reports. */
const attached = (page: ConsolePage, ticket: Ticket, { files = [] }: Shown, answer?: number): Html[] =>
  files
    .filter((file) => file.answer === answer)
    .map(({ number, name, size, download_url }) =>
      download_url === null
        ? html`<p class="kind">${words(page).fileGone(name)}</p>`
        : html`<p class="kind"><a href="/tickets/${String(ticket.id)}/files/${String(number)}">${name}</a> ${sizeText(page.language, size)}</p>`,
    );

/** The messages of a ticket, newest first, so that the last one is beside the answer. */
const conversation = (page: ConsolePage, ticket: Ticket, shown: Shown): Html => {
  const m = words(page);
  const customer = shown.account_email ?? m.customer;
  const answers = (shown.answers ?? []).map(({ number, answered_at, text, from }) => {
    const said = html`<h3>${from ? customer : m.you}, ${moment(page, answered_at)}</h3>
<p class="answer">${text}</p>${attached(page, ticket, shown, number)}`;
    return from ? said : html`<div class="note">${said}</div>`;
  });
  return section(
    m.conversation,
    html`<p class="hint">${m.newestFirst}</p>${answers.toReversed()}
<h3>${customer}, ${moment(page, ticket.created_at)}</h3><p class="answer">${ticket.detail}</p>${attached(page, ticket, shown)}`,
  );
};

const answerForm = (page: ConsolePage, { id, status }: Ticket): Html => {
  const m = words(page);
  const path = `/tickets/${id}`;
  const state =
    status === 'open'
      ? form(page, { action: `${path}/close`, submit: m.closeNow })
      : form(page, { action: `${path}/reopen`, submit: m.reopen });
  return section(
    m.answer,
    html`${form(
      page,
      { action: `${path}/answer`, submit: m.send, kind: 'main', takesFile: true },
      (kit) => html`
${kit.area({ name: 'text', label: m.answerText, hint: m.answerHint, rows: 6, required: true })}
${kit.file({ label: m.file, hint: m.fileHint(sizeText(page.language, MAX_ATTACHMENT)) })}
${status === 'open' ? kit.check({ name: 'close', label: m.close, checked: false }) : ''}`,
    )}
${state}`,
  );
};

const orderList = (page: ConsolePage, orders: Orders): Html => {
  const m = words(page);
  if (orders.length === 0) return section(m.orders, html`<p class="none">${m.noOrders}</p>`);
  const name = ({ id, number }: Orders[number]): Html | string =>
    page.sections.has('orders') ? html`<a href="/orders/id:${String(id)}">${number}</a>` : number;
  return section(
    m.orders,
    html`<p class="hint">${m.refundHint}</p><ul class="todo">${orders.map(
      (one) =>
        html`<li>${name(one)} <span>${moneyText(page.language, one.total_cents, one.currency)}</span> <small>${moment(page, one.ordered_at)}</small></li>`,
    )}</ul>`,
  );
};

const ticketView = (page: ConsolePage, ticket: Ticket, shown: Shown, orders: Orders | null, names: Names): Html => {
  const m = words(page);
  const last = shown.answers?.at(-1);
  const { summary, kind, status, withdrawal, created_at, app_bundle_id, app_version, macos_version, account_id } =
    ticket;
  return layout(page, {
    title: summary || m.untitled,
    section: 'tickets',
    up: { href: '/tickets', text: shellWords(page).sections.tickets },
    badge:
      last && !last.from && status === 'open'
        ? badge(m.answered, 'good')
        : badge(m[status], status === 'open' ? 'due' : ''),
    body: html`<div class="two"><div>${conversation(page, ticket, shown)}
${answerForm(page, ticket)}</div><div>${section(
      kindText(page, withdrawal ? 'withdrawal' : kind),
      facts([
        [m.customer, customerOf(page, account_id, shown.account_email ?? null)],
        [m.product, names.get(shown.product_id ?? 0)?.name ?? null],
        [m.number, shown.number ?? null],
        [m.opened, moment(page, created_at)],
        [
          m.order,
          withdrawal ? html`<a href="/orders/id:${String(withdrawal.order_id)}">${withdrawal.order_number}</a>` : null,
        ],
        [m.app, [app_bundle_id, app_version].filter(Boolean).join(' ') || null],
        [m.system, macos_version],
        [m.times, shown.count > 1 ? m.timesText(shown.count) : null],
      ]),
    )}
${orders === null ? '' : orderList(page, orders)}</div></div>`,
  });
};

/** The inbox of tickets: who waits longest comes first. */
export const addTicketPages = (paths: ConsolePaths): void => {
  const { ask, glance } = paths;
  paths.section('tickets', [listReports]);

  const idIn = ({ req }: MemberVisit): string => String(req.params['ticket']);

  const ticketPage = async (visit: MemberVisit): Promise<ConsoleAnswer> => {
    const report = await ask(visit, showReport, { params: { report: idIn(visit) } });
    if (!report.ok) return blocked(report);
    const { ticket } = report.value;
    if (!ticket) return goTo(`/errors/${idIn(visit)}`);
    const query = { account_id: ticket.account_id, limit: ORDERS_SHOWN };
    const [orders, names] = await Promise.all([glance(visit, listShopOrders, { query }), namesOf(paths, visit)]);
    return show((page) => ticketView(page, ticket, report.value, orders?.data ?? null, names(page)));
  };

  paths.page('/tickets', [listReports], async (visit) => {
    const isOpen = visit.query.get('state') !== 'closed';
    const [status, sort] = isOpen ? (['open', 'waiting'] as const) : (['closed', 'newest'] as const);
    const after = visit.query.get('after');
    const query = { kind: 'support', status, sort, after, limit: TICKETS_SHOWN };
    const [listed, names] = await Promise.all([ask(visit, listReports, { query }), namesOf(paths, visit)]);
    return listed.ok ? show((page) => listView(page, listed.value, isOpen, names(page))) : blocked(listed);
  });

  paths.page('/tickets/:ticket', [showReport], ticketPage);

  /** The link of a file ends after minutes, so a page that was left open asks for a new one. */
  paths.page('/tickets/:ticket/files/:file', [showReport], async (visit) => {
    const report = await ask(visit, showReport, { params: { report: idIn(visit) } });
    if (!report.ok) return blocked(report);
    const file = report.value.files?.find(({ number }) => String(number) === visit.req.params['file']);
    return goTo(file?.download_url ?? `/tickets/${idIn(visit)}`);
  });

  paths.form('/tickets/:ticket/answer', { takesFile: answerTicket }, async (visit) => {
    const m = words(visit);
    const ticket = idIn(visit);
    const { form: sent } = visit;
    if (sent.file && sent.file.size > MAX_ATTACHMENT) {
      const message = m.fileTooLarge(sizeText(visit.language, MAX_ATTACHMENT));
      return refused(visit, { ok: false, code: 'body_too_large', message }, await ticketPage(visit));
    }
    const input = { params: { ticket }, body: fieldsOf(sent, answerTicket), files: { file: sent.file } };
    const answered = await ask(visit, answerTicket, input);
    if (!answered.ok) return refused(visit, answered, await ticketPage(visit));
    const { file, ticket: after } = answered.value;
    return done(
      visit,
      `/tickets/${ticket}`,
      file === null ? m.withoutFile : after.status === 'closed' ? m.sentClosed : m.sent,
    );
  });

  for (const [step, endpoint, text] of [
    ['close', closeTicket, 'closedNow'],
    ['reopen', reopenTicket, 'reopened'],
  ] as const) {
    paths.form(`/tickets/:ticket/${step}`, {}, async (visit) => {
      const marked = await ask(visit, endpoint, { params: { ticket: idIn(visit) } });
      return marked.ok ? done(visit, `/tickets/${idIn(visit)}`, words(visit)[text]) : blocked(marked);
    });
  }
};
