import { html } from 'hono/html';
import { bothSteps } from '../../../../application/shared/steps.ts';
import type { OwnFile, OwnTicket, ShownTicket } from '../../../../application/support/tickets.ts';
import { refuse } from '../../../../domain/shared/outcome.ts';
import type { Stretch } from '../../../../domain/shared/paging.ts';
import { isBlank } from '../../../../domain/shared/plain-text.ts';
import { sizeText } from '../../../../domain/shared/wording.ts';
import {
  type AttachmentFault,
  attachmentFault,
  MAX_ATTACHMENT,
  REPORT_KINDS,
  type ReportKind,
  ticketNumber,
} from '../../../../domain/support/ticket.ts';
import { day } from '../../shared/dates.ts';
import { attribute, field, flag, type Html, type Notice, noticeBox } from '../../shared/pieces.ts';
import { type Answer, goTo, show } from '../answer.ts';
import { SCRIPT_PATH } from '../assets/assets.ts';
import { idIn, MOST_FILE_BYTES } from '../form.ts';
import { keepFields, type OwnFormVisit, type OwnVisit } from '../guard.ts';
import type { Messages } from '../messages/en.ts';
import { keptFields, type Paths } from '../paths.ts';
import { noticeIn } from '../routes/notices.ts';
import { backAgain, notFoundView } from '../views/messages.ts';
import { csrfField, layout, type Page } from '../views/page.ts';

/** The maximum lengths of a ticket's subject and text, which fit into a form. */
const LONGEST_SUBJECT = 200;
const LONGEST_TEXT = 4000;

/** The maximum length of the order number at the start of a question's subject. */
const LONGEST_ORDER_NUMBER = 60;

/** The notices about refused replies, by refusal code. */
const REPLY_FAULTS = {
  empty_answer: 'replyEmpty',
  answer_too_long: 'replyFull',
  too_many_answers: 'replyFull',
} as const;

const GONE = refuse('not_found');

type TicketForm = {
  readonly kind: ReportKind;
  readonly summary: string;
  readonly detail: string;
  readonly product: number | null;
  /** True if the form was sent without a subject or a text. */
  readonly isIncomplete: boolean;
  readonly fileFault?: AttachmentFault | undefined;
};

type ReplyForm = { readonly text: string; readonly fileFault?: AttachmentFault };

const EMPTY: TicketForm = { kind: 'general', summary: '', detail: '', product: null, isIncomplete: false };

/** The kinds that a person writes; applications send the other kind. */
const WRITTEN = REPORT_KINDS.filter((kind) => kind !== 'app_report');

/** A product that a ticket can be about. */
type OwnProduct = { readonly id: number; readonly name: string };

const ownProduct = (products: readonly OwnProduct[], chosen: number | null): number | null =>
  products.find(({ id }) => id === chosen)?.id ?? null;

/** The fields of a new ticket as submitted. */
const formOf = (text: (name: string) => string, products: readonly OwnProduct[]) => ({
  kind: WRITTEN.find((one) => one === text('kind')) ?? ('general' as const),
  summary: text('summary').trim().slice(0, LONGEST_SUBJECT),
  detail: text('detail').trim().slice(0, LONGEST_TEXT),
  product: ownProduct(products, idIn(text('product'))),
});

export type SupportModel = {
  readonly tickets: Stretch<OwnTicket>;
  readonly products: readonly OwnProduct[];
  readonly form?: TicketForm;
  readonly notice?: Notice | null;
};

const option = (value: string, text: string, isChosen: boolean): Html =>
  html`<option value="${value}"${flag('selected', isChosen)}>${text}</option>`;

/** The field of an optional file. It gets the focus if its file was refused. */
const fileField = ({ language, m: { support: m } }: Page, id: string, fault: AttachmentFault | undefined): Html => {
  const most = sizeText(language, MAX_ATTACHMENT);
  return html`<div class="field"><label for="${id}">${m.file}</label><p class="hint" id="${id}-hint">${m.fileHint(most)}</p>
<input type="file" id="${id}" name="file" aria-describedby="${id}-hint${fault ? ` ${id}-error` : ''}"${attribute('aria-invalid', fault && 'true')}${flag('autofocus', fault === 'tooLarge')}>
${fault ? html`<p class="wrong" id="${id}-error">${fault === 'again' ? m.fileAgain : m.fileTooLarge(most)}</p>` : ''}</div>`;
};

const productField = ({ m }: Page, products: readonly OwnProduct[], chosen: number | null): Html | '' =>
  products.length === 0
    ? ''
    : html`<div class="field"><label for="product">${m.support.product}</label><select id="product" name="product">
${option('', m.support.noProduct, chosen === null)}${products.map(({ id, name }) => option(String(id), name, id === chosen))}</select></div>`;

const ticketForm = (page: Page, products: readonly OwnProduct[], form: TicketForm): Html => {
  const { kind, summary, detail, product, isIncomplete, fileFault } = form;
  const { support: m } = page.m;
  const missing = isIncomplete && isBlank(detail);
  return html`<section class="card" aria-labelledby="write"><h2 id="write">${m.write}</h2>
<form method="post" action="/support" enctype="multipart/form-data" class="stack">${csrfField(page)}
<div class="field"><label for="kind">${m.about}</label><select id="kind" name="kind">${WRITTEN.map((one) => option(one, m.kind[one], one === kind))}</select></div>
${productField(page, products, product)}
${field({ name: 'summary', label: m.subject, value: summary, maxlength: LONGEST_SUBJECT, required: true, error: isIncomplete && isBlank(summary) ? m.subjectMissing : undefined })}
<div class="field"><label for="detail">${m.text}</label><textarea id="detail" name="detail" rows="6" maxlength="${String(LONGEST_TEXT)}" required${attribute('aria-describedby', missing ? 'detail-error' : undefined)}>${detail}</textarea>
${missing ? html`<p class="wrong" id="detail-error">${m.textMissing}</p>` : ''}</div>
${fileField(page, 'file', fileFault)}
<button class="main">${m.send}</button></form></section>`;
};

/** The buyer's reply form below a ticket, folded until it is needed. */
const replyForm = (page: Page, { id, status }: ShownTicket, again: ReplyForm | undefined): Html => {
  const { support: m } = page.m;
  const name = `reply-${id}`;
  return html`<details class="more"${flag('open', again !== undefined)}><summary>${m.reply}</summary>
<form method="post" action="/support/reply" enctype="multipart/form-data" class="stack">${csrfField(page)}<input type="hidden" name="ticket" value="${String(id)}">
<div class="field"><label for="${name}">${m.replyText}</label>${status === 'closed' ? html`<p class="hint" id="${name}-hint">${m.replyReopens}</p>` : ''}
<textarea id="${name}" name="text" rows="4" maxlength="${String(LONGEST_TEXT)}" required${attribute('aria-describedby', status === 'closed' ? `${name}-hint` : undefined)}>${again?.text ?? ''}</textarea></div>
${fileField(page, `${name}-file`, again?.fileFault)}
<button>${m.sendReply}</button></form></details>`;
};

/** The files of a reply, or, without a reply's number, of the ticket's reports. */
const attached = (page: Page, { id, files }: ShownTicket, reply?: number): Html[] =>
  files
    .filter(({ answer }) => answer === reply)
    .map(
      ({ number, name, size }: OwnFile) =>
        html`<p class="kind">${page.m.support.attached}: <a href="/support/file?ticket=${id}&amp;number=${number}">${name}</a> ${sizeText(page.language, size)}</p>`,
    );

/** The state of a ticket and its topic, in the list and on its own page. */
const badge = ({ m: { support: m } }: Page, { status, is_answered }: OwnTicket): Html =>
  html`<span class="badge ${status === 'open' ? 'good' : 'past'}">${is_answered && status === 'open' ? m.answered : m[status]}</span>`;

/** The title of a ticket. That of a withdrawal is in the language of the page. */
const titleOf = ({ m }: Page, ticket: OwnTicket): string =>
  ticket.withdrawal
    ? m.orders.withdrawalSubject(ticket.withdrawal.order_number)
    : ticket.summary || m.support.number(ticketNumber(ticket));

const about = (page: Page, ticket: OwnTicket, products: readonly OwnProduct[]): Html => {
  const { kind, product_id, created_at, withdrawal } = ticket;
  const product = products.find((one) => one.id === product_id);
  const what = withdrawal
    ? html`<a href="/orders/${String(withdrawal.order_id)}">${page.m.orders.order} ${withdrawal.order_number}</a>`
    : page.m.support.kind[kind];
  return html`${what}${product === undefined ? '' : ` · ${product.name}`} · ${day(page, created_at)}`;
};

const ticketCard = (page: Page, ticket: OwnTicket, products: readonly OwnProduct[]): Html => {
  const { support: m } = page.m;
  const { id, answer_count, is_answered } = ticket;
  const said = is_answered || answer_count > 0 ? m.messages(answer_count + 1) : m.unanswered;
  return html`<li class="card" id="ticket-${String(id)}">
<div class="head"><h2><a href="/support/${String(id)}">${titleOf(page, ticket)}</a></h2>${badge(page, ticket)}</div>
<p class="kind">${ticketNumber(ticket)} · ${about(page, ticket, products)} · ${said}</p>
</li>`;
};

/** The newest tickets of an account with their states, and the form for a new one. */
export const supportView = (page: Page, model: SupportModel): Html => {
  const { tickets, products, form = EMPTY, notice = null } = model;
  const { data, next_after } = tickets;
  const { support: m } = page.m;
  const written = ticketForm(page, products, form);
  const list =
    data.length === 0
      ? html`<p class="none">${m.none}. ${m.noneText}</p>`
      : html`<ul class="cards">${data.map((ticket) => ticketCard(page, ticket, products))}</ul>
${next_after === null ? '' : html`<p class="more"><a href="/support?after=${next_after}">${m.older}</a></p>`}`;
  return layout(page, {
    title: m.title,
    section: 'support',
    script: SCRIPT_PATH,
    body: html`<h1>${m.title}</h1>
<p class="lead">${m.lead}</p>
${noticeBox(notice)}
${data.some(({ status }) => status === 'open') ? [list, written] : [written, list]}`,
  });
};

export type TicketModel = {
  readonly ticket: ShownTicket;
  readonly products: readonly OwnProduct[];
  /** True on a page of older messages. */
  readonly isOlder?: boolean;
  readonly reply?: ReplyForm;
  readonly notice?: Notice | null;
};

/** A ticket with its newest messages, or with older ones, and the form for a reply. */
export const ticketView = (page: Page, { ticket, products, isOlder, reply, notice = null }: TicketModel): Html => {
  const { support: m } = page.m;
  const { id, detail, older, answers, is_answered } = ticket;
  const title = titleOf(page, ticket);
  const number = m.number(ticketNumber(ticket));
  const thread = answers.map(({ number, answered_at, text, from }) =>
    from === 'buyer'
      ? html`<h2>${m.you}, ${day(page, answered_at)}</h2>
<p class="answer">${text}</p>${attached(page, ticket, number)}`
      : html`<div class="note"><h2>${m.answer}, ${day(page, answered_at)}</h2><p class="answer">${text}</p>${attached(page, ticket, number)}</div>`,
  );
  return layout(page, {
    title,
    section: 'support',
    script: SCRIPT_PATH,
    body: html`<p class="up"><a href="/support">${m.title}</a></p><h1>${title}</h1>
${noticeBox(notice)}
<article class="card"><div class="head"><p class="kind">${number} · ${about(page, ticket, products)}</p>${badge(page, ticket)}</div>
${detail === '' ? '' : html`<p class="answer">${detail}</p>`}${attached(page, ticket)}
${older === null ? '' : html`<p class="more"><a href="/support/${String(id)}?before=${String(older)}">${m.olderMessages}</a></p>`}
${thread}
${isOlder ? html`<p class="more"><a href="/support/${String(id)}">${m.newestMessages}</a></p>` : ''}
${is_answered ? '' : html`<p class="none">${m.unanswered}</p>`}
${replyForm(page, ticket, reply)}</article>`,
  });
};

/** The account's tickets with the shop's answers, the reply forms, and the form for a new ticket. */
export const addSupportPages = (paths: Paths): void => {
  const { parts } = paths.settings;
  const { catalogs, linkOwnFile, listOwnTickets, listPurchases, receiveSupportReport, replyToTicket } = parts;
  const { showOwnTicket } = parts;

  const desk = async ({ session, locale, query }: OwnVisit): Promise<Pick<SupportModel, 'tickets' | 'products'>> => {
    const account_id = session.account_id;
    const [tickets, products] = await Promise.all([
      listOwnTickets(account_id, idIn(query.get('after'))),
      listPurchases({ account_id, locale }),
    ]);
    return { tickets, products };
  };

  /** The page of a ticket; `more` is about the last step. */
  const ticketPage = async (
    { session, locale, query }: OwnVisit,
    id: number,
    more: (m: Messages) => Pick<TicketModel, 'reply' | 'notice'>,
    status = 200,
  ): Promise<Answer> => {
    const account_id = session.account_id;
    const before = idIn(query.get('before'));
    const [ticket, products] = await Promise.all([
      showOwnTicket(account_id, id, before),
      listPurchases({ account_id, locale }),
    ]);
    if (!ticket.ok) return show(notFoundView, 404, '/support');
    const model = { ticket: ticket.value, products, isOlder: before !== null };
    return show(
      (page) => ticketView(page, { ...model, ...more(page.m) }),
      status,
      status === 200 ? undefined : `/support/${id}`,
    );
  };

  paths.own('/support', async (visit) => {
    const [opened, draft] = await Promise.all([desk(visit), keptFields(paths.settings, visit)]);
    const order = (visit.query.get('order') ?? '').slice(0, LONGEST_ORDER_NUMBER);
    const product = ownProduct(opened.products, idIn(visit.query.get('product')));
    const notice = noticeIn(visit.query, {
      faults: ({ support: { full, gone } }) => ({ full, gone }),
    });
    return show((page) => {
      const summary = order === '' ? '' : page.m.support.aboutOrder(order);
      const form = draft
        ? { ...EMPTY, ...formOf((name) => draft[name] ?? '', opened.products) }
        : { ...EMPTY, summary, product };
      return supportView(page, { ...opened, form, notice: draft ? backAgain(page) : notice(page.m) });
    });
  });

  paths.own('/support/file', async ({ session, query }) => {
    const [ticket, number] = [idIn(query.get('ticket')), idIn(query.get('number'))];
    const link = ticket && number ? await linkOwnFile(session.account_id, { ticket, number }) : GONE;
    return link.ok ? goTo(link.value) : show(notFoundView, 404, '/support');
  });

  const write = async (visit: OwnFormVisit): Promise<Answer> => {
    const { session, form, permit, language } = visit;
    const opened = await desk(visit);
    const { kind, summary, detail, product } = formOf((name) => form.text(name), opened.products);
    const isIncomplete = isBlank(summary) || isBlank(detail);
    const fault = form.file ? attachmentFault(form.file.size, isIncomplete) : undefined;
    if (isIncomplete || fault) {
      const again = { kind, summary, detail, product, isIncomplete, fileFault: fault };
      const status = fault === 'tooLarge' ? 413 : 422;
      return show((page) => supportView(page, { ...opened, form: again }), status, '/support');
    }
    const named = product === null ? undefined : (await catalogs.current()).products.get(product);
    const body = {
      kind,
      summary,
      detail,
      app_bundle_id: named?.bundle_id ?? null,
      app_version: null,
      macos_version: null,
      device_id: null,
      ...(product === null ? {} : { product_id: product }),
    };
    const { file } = form;
    const sent = await bothSteps(
      permit,
      receiveSupportReport({ account_id: session.account_id, body, files: { bundle: file }, confirms: language }),
    );
    if (!sent.ok) return goTo('/support?done=full');
    const { id, bundle } = sent.value.ticket;
    return goTo(`/support/${id}?done=${file && bundle === null ? 'withoutFile' : 'sent'}`);
  };

  const reply = async (visit: OwnFormVisit): Promise<Answer> => {
    const { session, form, permit } = visit;
    const text = form.text('text').slice(0, LONGEST_TEXT);
    const id = form.id('ticket') ?? 0;
    const fileFault = form.file ? attachmentFault(form.file.size, false) : undefined;
    if (fileFault) return ticketPage(visit, id, () => ({ reply: { text, fileFault } }), 413);
    const input = { account_id: session.account_id, id, text, file: form.file };
    const replied = await replyToTicket(permit, input);
    if (replied.ok) return goTo(`/support/${id}?done=${replied.value.file === null ? 'withoutFile' : 'replied'}`);
    const { code } = replied;
    return goTo(code === 'not_found' ? '/support?done=gone' : `/support/${id}?done=${REPLY_FAULTS[code]}`);
  };

  paths.boundedForm('/support', '/support', write, {
    takesFile: () => MOST_FILE_BYTES,
    keeps: keepFields(() => '/support', ['summary', 'detail'], ['kind', 'product']),
  });
  paths.boundedForm('/support/reply', '/support', reply, {
    takesFile: () => MOST_FILE_BYTES,
    keeps: keepFields((form) => `/support/${form.id('ticket') ?? 0}`, ['text']),
  });

  // After the static paths, which it would also match.
  paths.own('/support/:ticket', async (visit) => {
    const notice = noticeIn(visit.query, {
      done: ({ support: { replied, sent } }) => ({ replied, sent }),
      faults: ({ support: { replyEmpty, replyFull, withoutFile } }) => ({ replyEmpty, replyFull, withoutFile }),
    });
    const text = (await keptFields(paths.settings, visit))?.['text'];
    return ticketPage(visit, idIn(String(visit.req.params['ticket'])) ?? 0, (m) =>
      text === undefined ? { notice: notice(m) } : { notice: backAgain({ m }), reply: { text } },
    );
  });
};
