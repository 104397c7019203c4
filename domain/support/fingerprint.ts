import { stackLines, topFrames } from './frames.ts';

/**
 * The version of the grouping, part of every fingerprint, so that a new grouping never adds to groups of an old one.
 */
const VERSION = 'v1';

/** The number of top frames that count. Frames further down differ by the way to the failing code. */
const FRAMES = 5;

const LOOKED_AT = 500;

/** The traits that an error has on every device and at every time. */
export type ErrorTraits = {
  readonly app_bundle_id: string;
  readonly error_type: string;
  readonly error_message: string;
  readonly stack_trace: string | null;
};

/**
 * The name of an exception (`TypeError`, `java.lang.IllegalStateException`) or signal (`SIGSEGV`, `EXC_BAD_ACCESS`).
 */
const exceptionIn = (text: string): string | undefined =>
  /\b(?:[A-Za-z_][\w.]{0,120}(?:Error|Exception)|SIG[A-Z]{2,6}|EXC_[A-Z_]{2,30})\b/.exec(text.slice(0, LOOKED_AT))?.[0];

/** The name of the report's exception; null where the report names none. */
export const exceptionName = ({ error_message, stack_trace }: ErrorTraits): string | null => {
  const lines = stackLines(stack_trace ?? '').filter((line) => line.trim() !== '');
  return exceptionIn(error_message) ?? exceptionIn(lines[0] ?? '') ?? exceptionIn(lines.at(-1) ?? '') ?? null;
};

/** The first line of a message without the parts that vary: numbers, ids, quotations and paths. */
const messagePattern = (message: string): string =>
  (message.trim().split(/[\r\n]/, 1)[0] as string)
    .slice(0, LOOKED_AT)
    .replaceAll(/"[^"]{0,400}"|'[^']{0,400}'|`[^`]{0,400}`|“[^”]{0,400}”/g, '…')
    .replaceAll(/\S{0,200}[\\/@]\S{1,200}/g, '…')
    .replaceAll(/\b(?=[0-9a-f-]{0,40}\d)[0-9a-f-]{6,40}\b|0x[0-9a-f]{1,16}|\d{1,20}/gi, '#')
    .replaceAll(/\s{1,40}/g, ' ')
    .toLowerCase();

/** The input of the fingerprint. A group shows the frames, so that people see why its reports belong together. */
export const errorSignature = (report: ErrorTraits) => {
  const exception = exceptionName(report);
  const frames = topFrames(report.stack_trace ?? '', FRAMES);
  const told = frames.length > 0 ? frames : [messagePattern(report.error_message)];
  return { exception, frames, text: JSON.stringify([report.app_bundle_id, report.error_type, exception, told]) };
};

/** The fingerprint of an error, given the SHA-256 (lower-case hex) of its signature's text. */
export const fingerprintOf = (sha256: string): string => `${VERSION}:${sha256.slice(0, 32)}`;

/** The fingerprint of an overflow group, given the SHA-256 (lower-case hex) of its text. No error has the same one. */
export const overflowFingerprintOf = (sha256: string): string => `${VERSION}:overflow-${sha256.slice(0, 32)}`;

/** True for the form of a fingerprint, of an error or of an overflow group. */
export const isFingerprint = (text: string): boolean => /^v\d{1,3}:(?:overflow-)?[0-9a-f]{32}$/.test(text);
