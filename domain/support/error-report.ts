import type { DailyBound } from '../shared/daily-bound.ts';
import type { Instant } from '../shared/instant.ts';
import { beginningOf, utf8Length } from '../shared/plain-text.ts';
import { scrubNullable, scrubObject, scrubText } from './scrub.ts';

export const ERROR_TYPES = ['crash', 'exception', 'warning'] as const;
export type ErrorType = (typeof ERROR_TYPES)[number];

/** An error as an application reports it. */
export type ErrorDetails = {
  readonly app_bundle_id: string;
  readonly app_version: string;
  readonly os_version: string | null;
  readonly device_model: string | null;
  readonly error_type: ErrorType;
  readonly error_message: string;
  readonly stack_trace: string | null;
  readonly context: Readonly<Record<string, unknown>> | null;
};

/** The members of a report that are kept from their beginning alone, where they are too long. */
export type TruncatedMember = 'error_message' | 'stack_trace' | 'context';

/** An error report as it is kept. */
export type ErrorReport = ErrorDetails & {
  readonly id: number;
  readonly fingerprint: string;
  readonly received_at: Instant;
  /** The members that were too long to be kept whole; absent if none was. */
  readonly truncated?: readonly TruncatedMember[];
};

/** Days after which a report is forgotten. A group is forgotten this long after its last report. */
export const ERRORS_KEPT_DAYS = 90;

/** The number of newest reports that are kept of each group. */
export const REPORTS_KEPT = 20;

/** The details without credentials, e-mail addresses and home directories. No other form is kept. */
export const scrubbed = (details: ErrorDetails): ErrorDetails => ({
  app_bundle_id: scrubText(details.app_bundle_id),
  app_version: scrubText(details.app_version),
  os_version: scrubNullable(details.os_version),
  device_model: scrubNullable(details.device_model),
  error_type: details.error_type,
  error_message: scrubText(details.error_message),
  stack_trace: scrubNullable(details.stack_trace),
  context: details.context && scrubObject(details.context),
});

const KIB = 1024;
const MIB = KIB * KIB;

/** The bytes that are kept of each text of a report (UTF-8), from its beginning, where an error shows itself. */
export const MESSAGE_BYTES = 4 * KIB;
export const TRACE_BYTES = 16 * KIB;
export const CONTEXT_BYTES = 16 * KIB;

/** The bytes of a report's other members: names, versions and ids. */
const REST_BYTES = 4 * KIB;

/** The most bytes of JSON that a kept report has. */
export const REPORT_BYTES = MESSAGE_BYTES + TRACE_BYTES + CONTEXT_BYTES + REST_BYTES;

/** The most bytes of a group, which each report is counted with, because it may make one. */
export const GROUP_BYTES = 8 * KIB;

/** The bytes of error reports, with their groups, that are kept of one address in a day (UTC). */
export const ERROR_BYTES_OF_ADDRESS: DailyBound = {
  name: 'error-address',
  most: 8 * MIB,
  what: 'bytes of error reports from an address',
};

/** The bytes of error reports, with their groups, that are kept of all addresses in a day (UTC). */
export const ERROR_BYTES_OF_STORE: DailyBound = {
  name: 'error-store',
  most: 256 * MIB,
  what: 'bytes of error reports',
};

/** The end of a text that was cut. */
const MARK = '\n[truncated]';

/** The bytes of a text in JSON, where quotation marks, backslashes and line ends take two. */
const jsonLength = (text: string): number => utf8Length(JSON.stringify(text)) - 2;

/** The text, or its beginning with a mark where it has more bytes in JSON. */
const cut = (text: string, most: number): string => {
  if (jsonLength(text) <= most) return text;
  const room = most - jsonLength(MARK);
  const beginning = beginningOf(text, room);
  const escaped = jsonLength(beginning) - utf8Length(beginning);
  return beginningOf(beginning, Math.max(0, room - escaped)) + MARK;
};

/** The context, or the beginning of its JSON as a text where it is larger than is kept. */
const cutContext = (context: NonNullable<ErrorDetails['context']>): NonNullable<ErrorDetails['context']> => {
  const json = JSON.stringify(context);
  return utf8Length(json) <= CONTEXT_BYTES ? context : { truncated: cut(json, CONTEXT_BYTES - 2 * KIB) };
};

/** The details as far as they are kept. `truncated` names the members that were cut, and is absent if none was. */
export const keptDetails = (
  details: ErrorDetails,
): ErrorDetails & { readonly truncated?: readonly TruncatedMember[] } => {
  const kept: ErrorDetails = {
    ...details,
    error_message: cut(details.error_message, MESSAGE_BYTES),
    stack_trace: details.stack_trace === null ? null : cut(details.stack_trace, TRACE_BYTES),
    context: details.context === null ? null : cutContext(details.context),
  };
  const truncated = (['error_message', 'stack_trace', 'context'] as const).filter(
    (name) => kept[name] !== details[name],
  );
  return truncated.length === 0 ? kept : { ...kept, truncated };
};

/** The report of an error, as it is kept: scrubbed, and cut after that, so no secret is cut in two. */
export const newReport = (
  details: ErrorDetails,
  fresh: Pick<ErrorReport, 'id' | 'fingerprint' | 'received_at'>,
): ErrorReport => ({ ...keptDetails(scrubbed(details)), ...fresh });

/** The bytes of a report toward the daily bounds. */
export const reportSize = (report: ErrorReport): number => utf8Length(JSON.stringify(report)) + GROUP_BYTES;

/** The bytes of error reports that an address and all addresses sent today, including a report. */
export type ErrorBytes = { readonly ofAddress: number; readonly ofStore: number };

/** True if a report is beyond a daily bound: it is counted in its group, and not kept. */
export const isBeyondBytes = ({ ofAddress, ofStore }: ErrorBytes): boolean =>
  ofAddress > ERROR_BYTES_OF_ADDRESS.most || ofStore > ERROR_BYTES_OF_STORE.most;

/** Reports of one group in a minute that a process counts one by one. */
export const COUNTED_SINGLY = 100;

/** Reports of one group in a minute of which a process counts one in ten. Of those after them it counts one in a hundred. */
export const COUNTED_BY_TEN = 1000;

/** The number that a report counts for, if it is counted: one in so many is. `nth` is its number in the minute, from 1. */
export const weightOf = (nth: number): number => (nth <= COUNTED_SINGLY ? 1 : nth <= COUNTED_BY_TEN ? 10 : 100);

/** The reports that follow each other and of which one is counted, by their own number. */
export const reportBlockOf = (nth: number): number => Math.floor((nth - 1) / weightOf(nth));

/** Decides by the SHA-256 of something of its block, as hex, whether a report is the one of the block that counts. */
export const isCounted = (nth: number, sha256OfBlock: string): boolean => {
  const weight = weightOf(nth);
  return (nth - 1) % weight === Number.parseInt(sha256OfBlock.slice(0, 12), 16) % weight;
};
