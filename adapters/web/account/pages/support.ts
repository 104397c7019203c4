import { html } from 'hono/html';
import type { OwnTicket } from '../../../../application/support/tickets.ts';
import { isBlank } from '../../../../domain/shared/plain-text.ts';
import { REPORT_KINDS, type ReportKind } from '../../../../domain/support/ticket.ts';
import { day } from '../../shared/dates.ts';
import { attribute, emptyBox, facts, field, flag, type Html, type Notice, noticeBox } from '../../shared/pieces.ts';
import { goTo, show } from '../answer.ts';
import type { Paths } from '../paths.ts';
import { noticeIn } from '../routes/notices.ts';
import { csrfField, layout, type Page } from '../views/page.ts';

/** The most characters of a ticket's subject and text, which fit into a form. */
const LONGEST_SUBJECT = 200;
const LONGEST_TEXT = 4000;

type TicketForm = {
  readonly kind: ReportKind;
  readonly summary: string;
  readonly detail: string;
  /** True where the form came without a subject or a text. */
  readonly isIncomplete: boolean;
};

const EMPTY: TicketForm = { kind: 'general', summary: '', detail: '', isIncomplete: false };

/** The kinds that a person writes; applications send the third. */
const WRITTEN = REPORT_KINDS.filter((kind) => kind !== 'app_report');

export type SupportModel = {
  readonly tickets: readonly OwnTicket[];
  readonly form?: TicketForm;
  readonly notice?: Notice | null;
};

const ticketForm = (page: Page, { kind, summary, detail, isIncomplete }: TicketForm): Html => {
  const { support: m } = page.m;
  const missing = isIncomplete && isBlank(detail);
  return html`<section class="card" aria-labelledby="write"><h2 id="write">${m.write}</h2>
<form method="post" action="/support" class="stack">${csrfField(page)}
<div class="field"><label for="kind">${m.about}</label><select id="kind" name="kind">${WRITTEN.map((one) => html`<option value="${one}"${flag('selected', one === kind)}>${m.kind[one]}</option>`)}</select></div>
${field({ name: 'summary', label: m.subject, value: summary, maxlength: LONGEST_SUBJECT, required: true, error: isIncomplete && isBlank(summary) ? m.subjectMissing : undefined })}
<div class="field"><label for="detail">${m.text}</label><textarea id="detail" name="detail" rows="6" maxlength="${String(LONGEST_TEXT)}" required${attribute('aria-describedby', missing ? 'detail-error' : undefined)}>${detail}</textarea>
${missing ? html`<p class="wrong" id="detail-error">${m.textMissing}</p>` : ''}</div>
<button class="main">${m.send}</button></form></section>`;
};

const ticketCard = (page: Page, ticket: OwnTicket): Html => {
  const { support: m } = page.m;
  const { id, kind, status, summary, detail, created_at, answers } = ticket;
  const given = answers.map(
    ({ answered_at, text }) => html`<h3>${m.answer}, ${day(page, answered_at)}</h3>
<p class="answer">${text}</p>`,
  );
  return html`<li class="card">
<div class="head"><h2>${summary}</h2><span class="badge ${status === 'open' ? 'good' : 'past'}">${m[status]}</span></div>
<p class="kind">${m.kind[kind]}</p>
${facts([
  [m.number, String(id)],
  [m.reported, day(page, created_at)],
])}
${detail === '' ? '' : html`<p class="answer">${detail}</p>`}
${given.length === 0 ? html`<p class="about">${m.unanswered}</p>` : given}
</li>`;
};

/** The newest tickets of an account, with their states and answers. */
export const supportView = (page: Page, { tickets, form = EMPTY, notice = null }: SupportModel): Html => {
  const { support: m } = page.m;
  return layout(page, {
    title: m.title,
    section: 'support',
    body: html`<h1>${m.title}</h1>
<p class="lead">${m.lead}</p>
${noticeBox(notice)}
${tickets.length === 0 ? emptyBox(m.none, m.noneText) : html`<ul class="cards">${tickets.map((ticket) => ticketCard(page, ticket))}</ul>`}
${ticketForm(page, form)}`,
  });
};

/** The tickets of the account with the shop's answers, and the form for a new one. */
export const addSupportPages = (paths: Paths): void => {
  const { listOwnTickets, writeTicket } = paths.settings.parts;

  paths.own('/support', async ({ session, query }) => {
    const tickets = await listOwnTickets(session.account_id);
    const notice = noticeIn(query, {
      done: ({ support: { sent } }) => ({ sent }),
      faults: ({ support: { full } }) => ({ full }),
    });
    return show((page) => supportView(page, { tickets, notice: notice(page.m) }));
  });

  paths.boundedForm('/support', '/support', async ({ session, form, permit }) => {
    const [summary, detail] = [
      form.text('summary').trim().slice(0, LONGEST_SUBJECT),
      form.text('detail').trim().slice(0, LONGEST_TEXT),
    ];
    const kind = WRITTEN.find((one) => one === form.text('kind')) ?? 'general';
    if (isBlank(summary) || isBlank(detail)) {
      const tickets = await listOwnTickets(session.account_id);
      return show(
        (page) => supportView(page, { tickets, form: { kind, summary, detail, isIncomplete: true } }),
        422,
        '/support',
      );
    }
    const nothing = { app_bundle_id: null, app_version: null, macos_version: null, device_id: null };
    const report = { kind, summary, detail, ...nothing };
    const receive = await writeTicket({ accountId: session.account_id, report, file: null });
    const received = await receive({ permit, access: null });
    return goTo(`/support?done=${received.ok ? 'sent' : 'full'}`);
  });
};
