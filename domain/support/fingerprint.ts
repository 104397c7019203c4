/** The part of a stack trace that is read, in lines and characters per line. It limits the work for any input. */
const MAX_LINES = 300;
const MAX_LINE = 500;

/** The file name of a path, without query, position and build hashes. */
const fileName = (path: string): string => {
  const plain = path.replace(/[?#].*$/, '').replace(/(?::\d{1,9}){0,2}\)?$/, '');
  const name = plain.slice(Math.max(plain.lastIndexOf('/'), plain.lastIndexOf('\\')) + 1);
  return name.replaceAll(/[.-](?=[0-9a-f]{0,64}\d)[0-9a-f]{6,64}(?=[.-])/gi, '');
};

/** A symbol without addresses, offsets, arguments and compiler hashes. */
const symbol = (text: string): string =>
  text
    .replaceAll(/0x[0-9a-f]{1,16}/gi, '')
    .replace(/::h[0-9a-f]{16}\b/, '')
    .replace(/\s\+\s\d{1,12}.*$/, '')
    .replace(/\((?:[^()]{0,200})\)$/, '')
    .replace(/\s{2,}/g, ' ')
    .trim();

type FrameReader = (line: string) => string | undefined;

/**
 * V8, Java and .NET: `at render (/srv/app.js:10:5)`, `at async /srv/app.js:10:5`, `at com.acme.Main.run(Main.java:7)`.
 */
const atFrame: FrameReader = (line) => {
  const [, text] = /^\s{0,40}at (?:async |new )?(.{1,400})$/.exec(line) ?? [];
  if (text === undefined) return undefined;
  const open = text.lastIndexOf('(');
  if (open < 0) return fileName(text.trim());
  const file = fileName(text.slice(open + 1).replace(/\)\s*$/, ''));
  return `${symbol(text.slice(0, open))} ${file}`.trim();
};

/** Gecko and JavaScriptCore: `render@https://shop.example/app.js:10:5`. */
const geckoFrame: FrameReader = (line) => {
  const [, name, place] = /^([^@\s]{0,200})@(\S{1,400}?:\d{1,9}(?::\d{1,9})?)$/.exec(line.trim()) ?? [];
  return place === undefined ? undefined : `${name} ${fileName(place)}`.trim();
};

/** Apple: `3 Timer 0x0000000104a3c1f8 $s5Timer4tickyyF + 120`; without symbols, only the image. */
const appleFrame: FrameReader = (line) => {
  const [, image, rest] = /^\s{0,8}\d{1,4}\s{1,8}(\S.{0,80}?)\s{1,60}0x[0-9a-f]{1,16}\s(.{1,300})$/i.exec(line) ?? [];
  return image === undefined ? undefined : `${image} ${symbol(rest as string)}`.trim();
};

/** Python: `File "/srv/app.py", line 10, in render`. */
const pythonFrame: FrameReader = (line) => {
  const [, path, name = ''] = /^\s{1,40}File "([^"]{1,400})", line \d{1,9}(?:, in (.{1,200}))?$/.exec(line) ?? [];
  return path === undefined ? undefined : `${name} ${fileName(path)}`.trim();
};

/** The name of a call in Go, before its arguments. */
const GO_NAME = /^[\w./*()-]{1,200}\.[\w.*()]{1,200}$/;

/** The leading characters of a call in Go. The last bracket among them opens the arguments. */
const GO_CALL = /^[\w./*()-]{1,400}/;

/**
 * Go: `main.(*Server).render(0xc000012345, 0x1)`. Its file is on the next line, which is ignored. The line is cut
 * before it is matched, because one pattern for the whole line would try every bracket with every dot.
 */
const goFrame: FrameReader = (line) => {
  const text = line.replace(/^created by /, '').replace(/\sin goroutine \d{1,9}$/, '()');
  if (!text.endsWith(')')) return undefined;
  const [called = ''] = GO_CALL.exec(text) ?? [];
  const name = called.slice(0, Math.max(0, called.lastIndexOf('(')));
  return GO_NAME.test(name) ? name.slice(name.lastIndexOf('/') + 1) : undefined;
};

const READERS: readonly FrameReader[] = [atFrame, pythonFrame, appleFrame, geckoFrame, goFrame];

/** True for a trace whose failing line is last, as in Python. */
const isLastFirst = (lines: readonly string[]): boolean =>
  lines.some((line) => /^Traceback \(most recent call last\)/.test(line));

/** The lines of a stack trace that are read: at most 300, each cut to 500 characters. */
export const stackLines = (stack: string): string[] =>
  stack.split(/\r\n|\n|\r/, MAX_LINES).map((line) => line.slice(0, MAX_LINE));

/**
 * The first `count` frames of a stack trace in a form that is the same on every device, build and version: without
 * addresses, line numbers, directories and build hashes. Parses traces of Swift and Objective-C, JavaScript, Python,
 * Go, Java and .NET; empty for any other trace.
 */
export const topFrames = (stack: string, count: number): string[] => {
  const lines = stackLines(stack);
  const frames = lines.flatMap((line) => {
    for (const read of READERS) {
      const frame = read(line);
      if (frame !== undefined) return frame === '' ? [] : [frame];
    }
    return [];
  });
  return (isLastFirst(lines) ? frames.reverse() : frames).slice(0, count);
};

/**
 * The version of the grouping, part of every fingerprint, so that a new grouping never adds to groups of an old one.
 */
const VERSION = 'v1';

/** The number of top frames that count. Frames further down depend on how the failing code was reached. */
const FRAMES = 5;

const LOOKED_AT = 500;

/** The traits of an error that are the same on every device and at every time. */
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

/** The name of the report's exception; null if the report names none. */
export const exceptionName = ({ error_message, stack_trace }: ErrorTraits): string | null => {
  const lines = stackLines(stack_trace ?? '').filter((line) => line.trim() !== '');
  return exceptionIn(error_message) ?? exceptionIn(lines[0] ?? '') ?? exceptionIn(lines.at(-1) ?? '') ?? null;
};

/** The first line of a message without its variable parts: numbers, ids, quotations and paths. */
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
  const traits = frames.length > 0 ? frames : [messagePattern(report.error_message)];
  return { exception, frames, text: JSON.stringify([report.app_bundle_id, report.error_type, exception, traits]) };
};

/** The fingerprint of an error, given the SHA-256 (lower-case hex) of its signature's text. */
export const fingerprintOf = (sha256: string): string => `${VERSION}:${sha256.slice(0, 32)}`;

/** The fingerprint of an overflow group, given the SHA-256 (lower-case hex) of its text. No error has the same one. */
export const overflowFingerprintOf = (sha256: string): string => `${VERSION}:overflow-${sha256.slice(0, 32)}`;

/** True for the form of a fingerprint, of an error or of an overflow group. */
export const isFingerprint = (text: string): boolean => /^v\d{1,3}:(?:overflow-)?[0-9a-f]{32}$/.test(text);
