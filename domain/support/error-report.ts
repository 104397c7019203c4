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

/** The fields of a report that are truncated if they are too long. */
export type TruncatedMember = 'error_message' | 'stack_trace' | 'context';

/** An error report as stored. */
export type ErrorReport = ErrorDetails & {
  readonly id: number;
  readonly fingerprint: string;
  readonly received_at: Instant;
  /** The truncated fields; absent if there are none. */
  readonly truncated?: readonly TruncatedMember[];
};

/** Days after which a report expires. A group expires this long after its last report. */
export const ERRORS_KEPT_DAYS = 90;

/** The number of stored reports of each group, newest first. */
export const REPORTS_KEPT = 20;

/** The details without credentials, email addresses and home directories. No other form is stored. */
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

/**
 * The maximum size of each text of a report in bytes of UTF-8. Its beginning is stored, where an error shows itself.
 */
export const MESSAGE_BYTES = 4 * KIB;
export const TRACE_BYTES = 16 * KIB;
export const CONTEXT_BYTES = 16 * KIB;

/** The size of a report's other fields: names, versions and ids. */
const REST_BYTES = 4 * KIB;

/** The maximum size of a stored report in bytes of JSON. */
export const REPORT_BYTES = MESSAGE_BYTES + TRACE_BYTES + CONTEXT_BYTES + REST_BYTES;

/** The maximum size of a group. It is added to each report's size, because a report may create a group. */
export const GROUP_BYTES = 8 * KIB;

/** The maximum size of error reports and their groups from one address in a day (UTC). */
export const ERROR_BYTES_OF_ADDRESS: DailyBound = {
  name: 'error-address',
  most: 8 * MIB,
  what: 'bytes of error reports from an address',
};

/** The maximum size of error reports and their groups from all addresses in a day (UTC). */
export const ERROR_BYTES_OF_STORE: DailyBound = {
  name: 'error-store',
  most: 256 * MIB,
  what: 'bytes of error reports',
};

const MARK = '\n[truncated]';

/** The size of a text in JSON, where quotation marks, backslashes and line ends take two bytes. */
const jsonLength = (text: string): number => utf8Length(JSON.stringify(text)) - 2;

/** The text, truncated with a mark if its JSON has more bytes. */
const cut = (text: string, most: number): string => {
  if (jsonLength(text) <= most) return text;
  const room = most - jsonLength(MARK);
  const beginning = beginningOf(text, room);
  const escaped = jsonLength(beginning) - utf8Length(beginning);
  return beginningOf(beginning, Math.max(0, room - escaped)) + MARK;
};

/** The context, or the truncated text of its JSON if it is too large. */
const cutContext = (context: NonNullable<ErrorDetails['context']>): NonNullable<ErrorDetails['context']> => {
  const json = JSON.stringify(context);
  return utf8Length(json) <= CONTEXT_BYTES ? context : { truncated: cut(json, CONTEXT_BYTES - 2 * KIB) };
};

/** The details within their limits. `truncated` names the truncated fields, and is absent if there are none. */
export const keptDetails = (
  details: ErrorDetails,
): ErrorDetails & { readonly truncated?: readonly TruncatedMember[] } => {
  const bounded: ErrorDetails = {
    ...details,
    error_message: cut(details.error_message, MESSAGE_BYTES),
    stack_trace: details.stack_trace === null ? null : cut(details.stack_trace, TRACE_BYTES),
    context: details.context === null ? null : cutContext(details.context),
  };
  const truncated = (['error_message', 'stack_trace', 'context'] as const).filter(
    (name) => bounded[name] !== details[name],
  );
  return truncated.length === 0 ? bounded : { ...bounded, truncated };
};

/** The stored form of an error report: scrubbed first and then truncated, so no secret is cut in two. */
export const newReport = (
  details: ErrorDetails,
  fresh: Pick<ErrorReport, 'id' | 'fingerprint' | 'received_at'>,
): ErrorReport => ({ ...keptDetails(scrubbed(details)), ...fresh });

/** The size of a report toward the daily limits. */
export const reportSize = (report: ErrorReport): number => utf8Length(JSON.stringify(report)) + GROUP_BYTES;

/** The size of the error reports that one address and all addresses sent today, including this report. */
export type ErrorBytes = { readonly ofAddress: number; readonly ofStore: number };

/** True if a report exceeds a daily limit: it is counted in its group but not stored. */
export const isBeyondBytes = ({ ofAddress, ofStore }: ErrorBytes): boolean =>
  ofAddress > ERROR_BYTES_OF_ADDRESS.most || ofStore > ERROR_BYTES_OF_STORE.most;

/** The number of reports of one group in a minute that a process counts individually. */
export const COUNTED_SINGLY = 100;

/**
 * The number of reports of one group in a minute up to which a process counts one in ten. Beyond it, it counts one in a
 * hundred.
 */
export const COUNTED_BY_TEN = 1000;

/** The number of reports that a counted report stands for. `nth` is its position in the minute, from 1. */
export const weightOf = (nth: number): number => (nth <= COUNTED_SINGLY ? 1 : nth <= COUNTED_BY_TEN ? 10 : 100);

/** The number of the block to which a report belongs. One report of each block is counted. */
export const reportBlockOf = (nth: number): number => Math.floor((nth - 1) / weightOf(nth));

/**
 * Decides whether a report is the counted one of its block. `sha256OfBlock` is a hash in hex that is the same for the
 * whole block.
 */
export const isCounted = (nth: number, sha256OfBlock: string): boolean => {
  const weight = weightOf(nth);
  return (nth - 1) % weight === Number.parseInt(sha256OfBlock.slice(0, 12), 16) % weight;
};
