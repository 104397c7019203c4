import { stackLines, topFrames } from './frames.ts';

/** Named in every fingerprint, so that a better way of grouping never meets the groups of an earlier one. */
const VERSION = 'v1';

/** Frames further down differ by how the failing code was reached. */
const FRAMES = 5;

const LOOKED_AT = 500;

/** What tells one error from another: what is the same wherever and whenever it happens. */
export type ErrorTraits = {
  readonly app_bundle_id: string;
  readonly error_type: string;
  readonly error_message: string;
  readonly stack_trace: string | null;
};

/** The name of an exception (`TypeError`, `java.lang.IllegalStateException`) or signal (`SIGSEGV`, `EXC_BAD_ACCESS`). */
const exceptionIn = (text: string): string | undefined =>
  /\b(?:[A-Za-z_][\w.]{0,120}(?:Error|Exception)|SIG[A-Z]{2,6}|EXC_[A-Z_]{2,30})\b/.exec(text.slice(0, LOOKED_AT))?.[0];

/** The exception that a report is about, null where nothing names one. */
export const exceptionName = ({ error_message, stack_trace }: ErrorTraits): string | null => {
  const lines = stackLines(stack_trace ?? '').filter((line) => line.trim() !== '');
  return exceptionIn(error_message) ?? exceptionIn(lines[0] ?? '') ?? exceptionIn(lines.at(-1) ?? '') ?? null;
};

/** The first line of a message without what differs from one time to the next: numbers, ids, quotations, paths. */
const messagePattern = (message: string): string =>
  (message.trim().split(/[\r\n]/, 1)[0] as string)
    .slice(0, LOOKED_AT)
    .replaceAll(/"[^"]{0,400}"|'[^']{0,400}'|`[^`]{0,400}`|“[^”]{0,400}”/g, '…')
    .replaceAll(/\S{0,200}[\\/@]\S{1,200}/g, '…')
    .replaceAll(/\b(?=[0-9a-f-]{0,40}\d)[0-9a-f-]{6,40}\b|0x[0-9a-f]{1,16}|\d{1,20}/gi, '#')
    .replaceAll(/\s{1,40}/g, ' ')
    .toLowerCase();

/** What the fingerprint is made of; a group shows its frames, so that people see why reports are together. */
export const errorSignature = (report: ErrorTraits) => {
  const exception = exceptionName(report);
  const frames = topFrames(report.stack_trace ?? '', FRAMES);
  const told = frames.length > 0 ? frames : [messagePattern(report.error_message)];
  return { exception, frames, text: JSON.stringify([report.app_bundle_id, report.error_type, exception, told]) };
};

/** The fingerprint of a signature, given the SHA-256 of its text as hex. */
export const fingerprintOf = (sha256: string): string => `${VERSION}:${sha256.slice(0, 32)}`;

/** The fingerprint of an overflow group, given the SHA-256 of its text as hex; no error's is like it. */
export const overflowFingerprintOf = (sha256: string): string => `${VERSION}:overflow-${sha256.slice(0, 32)}`;

/** True for what a fingerprint looks like, of a group or of an overflow. */
export const isFingerprint = (text: string): boolean => /^v\d{1,3}:(?:overflow-)?[0-9a-f]{32}$/.test(text);
