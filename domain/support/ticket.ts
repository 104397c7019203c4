import type { OrderWithdrawal } from '../billing/order.ts';
import type { DailyBound } from '../shared/daily-bound.ts';
import { addDays, DAY_MS, dayOf, type Instant, millis, toInstant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { placeOf } from '../shared/paging.ts';
import { isBlank, plainName } from '../shared/plain-text.ts';
import { scrubText, withoutControls } from './scrub.ts';

export const REPORT_KINDS = ['general', 'app_report', 'refund_request'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** A buyer's report. */
export type SupportReport = {
  readonly kind: ReportKind;
  readonly summary: string;
  readonly detail: string;
  readonly app_bundle_id: string | null;
  readonly app_version: string | null;
  readonly macos_version: string | null;
  readonly device_id: string | null;
  /** The product that the buyer selected on the account's pages; applications identify themselves by bundle id. */
  readonly product_id?: number;
};

/** Characters that are hard to confuse and spell no words. */
const SIGNS = '23456789BCDFGHJKMNPQRSTVWXZ';
const NUMBERS = BigInt(SIGNS.length) ** 6n;
/** Has no common factor with `NUMBERS`, so consecutive ids get distinct numbers. */
const SPREAD = 0x9e3779b97f4a7c15n;

/**
 * The short number of a ticket, such as `K7M-4QX`, for the buyer and the shop. It does not reveal how many tickets
 * there are. The store never gives two new tickets the same number.
 */
export const ticketNumber = ({ id }: Pick<Ticket, 'id'>): string => {
  let rest = (BigInt(id) * SPREAD) % NUMBERS;
  const signs = Array.from({ length: 6 }, () => {
    const sign = SIGNS[Number(rest % BigInt(SIGNS.length))];
    rest /= BigInt(SIGNS.length);
    return sign;
  }).join('');
  return `${signs.slice(0, 3)}-${signs.slice(3)}`;
};

/** The normalized form of a typed ticket number; undefined for a text that can't be one. Only digits are an id. */
export const typedTicketNumber = (text: string): string | undefined => {
  const signs = text.toUpperCase().replace(/^#|[\s-]/g, '');
  const isOne = signs.length === 6 && /\D/.test(text) && [...signs].every((sign) => SIGNS.includes(sign));
  return isOne ? `${signs.slice(0, 3)}-${signs.slice(3)}` : undefined;
};

/** A report for the operator to look into. The same report within a day joins its ticket instead of opening another. */
export type Ticket = SupportReport & {
  readonly id: number;
  readonly account_id: number;
  readonly status: 'open' | 'closed';
  readonly created_at: Instant;
  /** The number of its answers and its buyer's replies; absent if it has none. */
  readonly answer_count?: number;
  /** The time of the buyer's last reply; absent if there is none. */
  readonly replied_at?: Instant;
  /** The moment of the buyer's first message since the last answer, once they have replied. */
  readonly waiting_since?: Instant;
  /** The time of the shop's last answer; absent if there is none, and in tickets that an earlier version answered. */
  readonly answered_at?: Instant;
  /** The order from which the buyer withdrew with this ticket; absent in any other. */
  readonly withdrawal?: { readonly order_id: number; readonly order_number: string };
};

/**
 * A file of a report or a reply. It is stored unchanged, never opened, and given only to the operator and its sender.
 */
export type TicketFile = {
  /**
   * The number of the file's report among the ticket's reports, from 1 to `FILES_KEPT`. The files of replies have the
   * numbers after these.
   */
  readonly number: number;
  /** The client's name of the file. It is data and never used as a path. */
  readonly name: string;
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  readonly object_key: string;
  readonly received_at: Instant;
  /** The number of the buyer's reply that the file belongs to; absent for the file of a report. */
  readonly answer?: number;
};

/** The details of a report that may differ from the ticket that it joined. Its text is that of the ticket. */
export type JoinedReport = Pick<SupportReport, 'app_version' | 'macos_version' | 'device_id'> & {
  /** The number of the report among the ticket's reports, from 2 on. */
  readonly number: number;
  readonly received_at: Instant;
};

/** The number of joined reports whose details are stored, newest first. */
export const JOINED_KEPT = 20;

/** The maximum number of new tickets of an account in a day (UTC). */
export const TICKETS_A_DAY: DailyBound = { name: 'tickets', most: 50, what: 'new tickets of an account' };

/**
 * Days for which a ticket is stored after its opening: three years, for which a trader must keep records of consumers'
 * complaints (Enforcement Decree of the Act on the Consumer Protection in Electronic Commerce, article 6 (1)).
 */
export const TICKETS_KEPT_DAYS = 1096;

export const ticketForgottenAt = (openedAt: Instant): Instant => addDays(openedAt, TICKETS_KEPT_DAYS);

/** The maximum length of a stored file name. */
const MAX_FILE_NAME = 255;

/** A file's name on one plain line, without text direction marks. */
export const plainFileName = (name: string): string => plainName(name, MAX_FILE_NAME) ?? 'file';

/** A file's name, scrubbed as text and cut to 255 characters, because a program chose it and not the buyer. */
const scrubbedName = (name: string): string => plainFileName(scrubText(name));

/** Milliseconds after a ticket's opening during which the same report joins it (docs/running.md, Limits). */
const JOINED_FOR_MS = DAY_MS;

/** The number of a ticket's reports whose files are stored, so that repeating one report does not fill the store. */
export const FILES_KEPT = 20;

/**
 * The maximum size of stored files from one account's reports in a day (UTC), so that new reports do not fill the
 * store.
 */
export const FILE_BYTES_A_DAY = 200 * 1024 * 1024;

/** The maximum size of a file from the account's pages or with an answer of the shop, whose form must fit into one Lambda call. */
export const MAX_ATTACHMENT = 4_000_000;

/** The fault of a form's file: too large, or to be chosen again, because a page can't put it into its form. */
export type AttachmentFault = 'tooLarge' | 'again';

/** The fault of a file of `size` bytes; a form that is shown again for another fault has lost its file. */
export const attachmentFault = (size: number, isShownAgain: boolean): AttachmentFault | undefined =>
  size > MAX_ATTACHMENT ? 'tooLarge' : isShownAgain ? 'again' : undefined;

export const FILES_KEPT_DAYS = 90;

/** The time from which the same report no longer joins a ticket opened at `openedAt`. */
export const joinedUntil = (openedAt: Instant): Instant => toInstant(millis(openedAt) + JOINED_FOR_MS);

export const isJoined = (openedAt: Instant, now: Instant): boolean => now < joinedUntil(openedAt);

/** The text, normalized in whitespace and in the composition of accents. */
const sameText = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/\s{1,1000}/g, ' ')
    .trim();

/**
 * The identity of a report within an account: kind, app and text. Reports with equal identities are the same report.
 */
export const reportIdentity = ({ kind, app_bundle_id, summary, detail }: SupportReport): string =>
  JSON.stringify([kind, app_bundle_id, sameText(summary), sameText(detail)]);

const cleanNullable = (text: string | null): string | null => (text === null ? null : withoutControls(text));

/**
 * The report as stored: unscrubbed, because the sender is the buyer, and an address in the text may be the one to
 * answer to. Only control characters and lone surrogates are replaced.
 */
const keptReport = (report: SupportReport): SupportReport => ({
  kind: report.kind,
  summary: withoutControls(report.summary),
  detail: withoutControls(report.detail),
  app_bundle_id: cleanNullable(report.app_bundle_id),
  app_version: cleanNullable(report.app_version),
  macos_version: cleanNullable(report.macos_version),
  device_id: cleanNullable(report.device_id),
  ...(report.product_id === undefined ? {} : { product_id: report.product_id }),
});

export const joinedReport = (report: SupportReport, number: number, received_at: Instant): JoinedReport => {
  const { app_version, macos_version, device_id } = keptReport(report);
  return { number, received_at, app_version, macos_version, device_id };
};

/**
 * The object store's key for a report's file, made of the day (UTC) of its arrival and its sha256. The day is part of
 * the key, so that a file that arrives again is stored as long as any other.
 */
export const reportObjectKey = (receivedAt: Instant, sha256: string): string =>
  `${REPORT_FILES}${dayOf(receivedAt)}/${sha256}`;

const REPORT_FILES = 'reports/';
const DAY_LENGTH = 'YYYY-MM-DD'.length;

/** True if the object is a report's file that has been stored for `FILES_KEPT_DAYS`. */
export const isOutdatedReportFile = (objectKey: string, now: Instant): boolean =>
  objectKey.startsWith(REPORT_FILES) &&
  objectKey.slice(REPORT_FILES.length, REPORT_FILES.length + DAY_LENGTH) < dayOf(addDays(now, -FILES_KEPT_DAYS));

export const newTicket = (
  report: SupportReport,
  { id, account_id }: Pick<Ticket, 'id' | 'account_id'>,
  now: Instant,
): Ticket => ({ ...keptReport(report), id, account_id, status: 'open', created_at: now });

/** The declaration of withdrawal that a ticket records. */
export const withdrawalBy = ({ id, created_at }: Ticket): OrderWithdrawal => ({
  declared_at: created_at,
  ticket_id: id,
});

/**
 * True for a ticket of an earlier version that withdrew from the order with this id, recognized by its text in either
 * language.
 */
export const isFormerWithdrawal = ({ kind, detail }: Pick<Ticket, 'kind' | 'detail'>, order_id: number): boolean =>
  kind === 'refund_request' &&
  (detail.endsWith(`; its id is ${order_id}.)`) || detail.endsWith(`, 주문 ID ${order_id})`));

/** The ticket of an erased account: only that there was a complaint, its kind, time and state. */
export const erasedTicket = ({ id, account_id, kind, status, created_at }: Ticket): Ticket => ({
  id,
  account_id,
  kind,
  status,
  created_at,
  summary: '',
  detail: '',
  app_bundle_id: null,
  app_version: null,
  macos_version: null,
  device_id: null,
});

/** The stored form of a file of a ticket's report with this number. */
export const ticketFile = (
  { name, type, size, sha256 }: Pick<TicketFile, 'name' | 'type' | 'size' | 'sha256'>,
  number: number,
  now: Instant,
): TicketFile => ({
  number,
  name: scrubbedName(name),
  type,
  size,
  sha256,
  object_key: reportObjectKey(now, sha256),
  received_at: now,
});

/** The stored form of a file of a buyer's reply, or of an answer of the shop. */
export const replyFile = (
  received: Pick<TicketFile, 'name' | 'type' | 'size' | 'sha256'>,
  answer: number,
  now: Instant,
): TicketFile => ({ ...ticketFile(received, FILES_KEPT + answer, now), answer });

export const ticketView = ({ id, kind, status, created_at }: Ticket, number: number, file: TicketFile | null) => ({
  id,
  kind,
  status,
  created_at,
  reports: number,
  bundle: file ? { name: file.name, size: file.size, sha256: file.sha256 } : null,
});

/** The operator's answer to a ticket, or its buyer's reply. It is stored as long as its ticket, and never changed. */
export type TicketAnswer = {
  /** The number of the answer within the ticket, from 1. */
  readonly number: number;
  readonly answered_at: Instant;
  /** The operator's user name on the machine; buyers do not see it. */
  readonly by: string | null;
  readonly text: string;
  /** Present on a reply of the buyer, absent on an answer of the shop. */
  readonly from?: 'buyer';
};

/** The maximum length of an answer, and the maximum number of answers of a ticket. */
export const MAX_ANSWER = 10_000;
export const MAX_ANSWERS = 50;

/** The maximum number of replies from a ticket's buyer, so that room remains for the shop's answers. */
export const MAX_REPLIES = 20;

/**
 * The next answer of a ticket. It is refused if its text is empty or too long, or if the ticket has too many answers.
 */
export const nextAnswer = (
  { id }: Pick<Ticket, 'id'>,
  answer: readonly TicketAnswer[],
  { text, by }: Pick<TicketAnswer, 'text' | 'by'>,
  now: Instant,
): Outcome<TicketAnswer, 'empty_answer' | 'answer_too_long' | 'too_many_answers'> => {
  const cleaned = withoutControls(text).trim();
  if (isBlank(cleaned)) return refuse('empty_answer', { message: 'The answer is empty; enter its text.' });
  if (cleaned.length > MAX_ANSWER) {
    return refuse('answer_too_long', {
      message: `The answer has ${cleaned.length} characters; shorten it to ${MAX_ANSWER}.`,
    });
  }
  if (answer.length >= MAX_ANSWERS) {
    return refuse('too_many_answers', {
      message: `Ticket ${id} has ${MAX_ANSWERS} answers, the maximum; write to the buyer by email.`,
    });
  }
  return ok({ number: answer.length + 1, answered_at: now, by, text: cleaned });
};

/** The buyer's next reply to a ticket. It is refused like an answer, and after `MAX_REPLIES`. */
export const nextReply = (
  ticket: Pick<Ticket, 'id'>,
  answer: readonly TicketAnswer[],
  text: string,
  now: Instant,
): Outcome<TicketAnswer, 'empty_answer' | 'answer_too_long' | 'too_many_answers'> => {
  if (answer.filter(({ from }) => from === 'buyer').length >= MAX_REPLIES) {
    return refuse('too_many_answers', {
      message: `Ticket ${ticket.id} has ${MAX_REPLIES} replies, the maximum; open another ticket.`,
    });
  }
  const next = nextAnswer(ticket, answer, { text, by: null }, now);
  return next.ok ? ok({ ...next.value, from: 'buyer' }) : next;
};

/** Since when the buyer waits for an answer; null if the last message is the shop's. */
export const waitsSince = ({ answer_count = 0, ...ticket }: Ticket): Instant | null => {
  if (answer_count === 0) return ticket.created_at;
  const { replied_at = '', waiting_since = '', answered_at = '' } = ticket;
  // A process of a former version leaves the beginning of an earlier wait.
  return [waiting_since, replied_at].find((at) => at > answered_at) ?? null;
};

/** The moment of the buyer's last message. */
export const lastWritten = ({ replied_at, created_at }: Ticket): Instant => replied_at ?? created_at;

/** The orders of tickets: by the buyer's last message, newest first, or the open ones by who waits longest. */
export const TICKET_ORDERS = ['newest', 'waiting'] as const;
export type TicketOrder = (typeof TICKET_ORDERS)[number];

/** The moment by which those that nobody waits for are last. */
const BEHIND_ALL: Instant = '9999-12-31T23:59:59.999Z';

/** The place of a ticket, or of what is listed beside tickets, in an order; ids of tickets are padded. */
export const placeIn = (
  order: TicketOrder,
  { waits, written, id }: { readonly waits: Instant | null; readonly written: Instant; readonly id: string },
): string => {
  const place = placeOf(written, id.padStart(16, '0'));
  return order === 'newest' ? place : placeOf(waits ?? BEHIND_ALL, place);
};

/** A list of the shop's tickets: those of a status by `newest`, or the open ones by `waiting`. */
export type TicketList = Ticket['status'] | 'waiting';

/** The lists that have a ticket, each with its place there. */
export const placesOf = (ticket: Ticket): { readonly list: TicketList; readonly place: string }[] => {
  const at = { waits: waitsSince(ticket), written: lastWritten(ticket), id: String(ticket.id) };
  return [
    { list: ticket.status, place: placeIn('newest', at) },
    ...(ticket.status === 'open' ? [{ list: 'waiting', place: placeIn('waiting', at) } as const] : []),
  ];
};

/**
 * The ticket with an answer or a reply. A reply opens a closed ticket again, because nobody looks at closed tickets. A
 * further reply leaves the ticket where it waits.
 */
export const answeredTicket = (ticket: Ticket, { number, answered_at, from }: TicketAnswer): Ticket => {
  const answered = { ...ticket, answer_count: number };
  if (from !== 'buyer') return { ...answered, answered_at };
  const waits = ticket.status === 'open' ? waitsSince(ticket) : null;
  return { ...answered, status: 'open', replied_at: answered_at, waiting_since: waits ?? answered_at };
};
