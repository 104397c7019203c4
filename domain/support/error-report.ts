import type { Instant } from '../shared/instant.ts';
import { scrubNullable, scrubObject } from './scrub.ts';
import { scrubText } from './scrub-text.ts';

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
  /** The members that were too long to be kept whole; absent where none was. */
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
