import { addDays, DAY_MS, dayOf, type Instant, millis, toInstant } from '../shared/instant.ts';
import { scrubNullable } from './scrub.ts';
import { scrubText } from './scrub-text.ts';

export const REPORT_KINDS = ['general', 'app_report', 'refund_request'] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** What a buyer reports. */
export type SupportReport = {
  readonly kind: ReportKind;
  readonly summary: string;
  readonly detail: string;
  readonly app_bundle_id: string | null;
  readonly app_version: string | null;
  readonly macos_version: string | null;
  readonly device_id: string | null;
};

/** A report that somebody is to look into. The same report again joins it instead of making another. */
export type Ticket = SupportReport & {
  readonly id: number;
  readonly account_id: number;
  readonly status: 'open' | 'closed';
  readonly created_at: Instant;
};

/** A file that came with a report: kept as it came, never opened, and given to the operator alone. */
export type TicketFile = {
  /** Which of the ticket's reports brought it, from 1 on. */
  readonly number: number;
  /** As the client named it: data, and never a path. */
  readonly name: string;
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  readonly object_key: string;
  readonly received_at: Instant;
};

/** Characters of a file's name that are kept. */
const MAX_FILE_NAME = 255;

/** The name of a file without what is taken out of texts. */
export const scrubbedName = (name: string): string => scrubText(name).slice(0, MAX_FILE_NAME);

/** The same report joins its ticket for this long after that was opened (specification, Limits). */
const JOINED_FOR_MS = DAY_MS;

/** Files are kept of so many reports of a ticket, so that sending the same again and again doesn't fill the store. */
export const FILES_KEPT = 20;

/** Bytes of files that are kept of one account's reports in a day (UTC), so that nobody fills the store with new ones. */
export const FILE_BYTES_A_DAY = 200 * 1024 * 1024;

/** Files are kept for so many days after they came. */
export const FILES_KEPT_DAYS = 90;

/** The last moment at which the same report joins a ticket of this age. */
export const joinedUntil = (openedAt: Instant): Instant => toInstant(millis(openedAt) + JOINED_FOR_MS);

export const isJoined = (openedAt: Instant, now: Instant): boolean => now < joinedUntil(openedAt);

/** Spaces and line ends, and how accents are composed, make no other report. */
const sameText = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/\s{1,1000}/g, ' ')
    .trim();

/** What makes two reports of an account the same one: kind, app and text. */
export const reportIdentity = ({ kind, app_bundle_id, summary, detail }: SupportReport): string =>
  JSON.stringify([kind, app_bundle_id, sameText(summary), sameText(detail)]);

/** The report without credentials, e-mail addresses and home directories, which is the only form that is kept. */
export const scrubbedReport = (report: SupportReport): SupportReport => ({
  kind: report.kind,
  summary: scrubText(report.summary),
  detail: scrubText(report.detail),
  app_bundle_id: scrubNullable(report.app_bundle_id),
  app_version: scrubNullable(report.app_version),
  macos_version: scrubNullable(report.macos_version),
  device_id: scrubNullable(report.device_id),
});

/**
 * Where the bytes of a report's file lie: by the day that it came, so that a file that comes again is kept as long as any
 * other, and under what they are.
 */
export const reportObjectKey = (receivedAt: Instant, sha256: string): string =>
  `${REPORT_FILES}${dayOf(receivedAt)}/${sha256}`;

const REPORT_FILES = 'reports/';
const DAY_LENGTH = 'YYYY-MM-DD'.length;

/** Whether an object is the file of a report and has been kept for long enough. */
export const isOutdatedReportFile = (objectKey: string, now: Instant): boolean =>
  objectKey.startsWith(REPORT_FILES) &&
  objectKey.slice(REPORT_FILES.length, REPORT_FILES.length + DAY_LENGTH) < dayOf(addDays(now, -FILES_KEPT_DAYS));
