/** The text that replaces a credential. */
export const SECRET = '[secret]';
/** The replacement of an email address. */
export const EMAIL = '[email]';
/** The replacement of the path of a home directory. */
export const HOME = '~';

/*
 * Every pattern here runs in linear time: none nests repetitions, and a pattern that can begin anywhere reads a bounded
 * number of characters.
 */

/** The text with a replacement character for control characters (except tab and line ends) and lone surrogates. */
export const withoutControls = (text: string): string =>
  text.toWellFormed().replaceAll(/(?![\t\n\r])\p{Cc}/gu, '\ufffd');

/** A private key in PEM form, to its end, or to the end of the text if the key is truncated. */
const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g;

/** User and password of a URL (RFC 3986, section 3.2.1). */
const URL_USER = /\b([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/?#"'<>]{1,256}@/gi;

/** Headers whose whole value is a credential, in a log, a curl command or JSON. */
const HEADER =
  /((?:authorization|cookie|x-api-key|x-auth-token|x-amz-security-token)(?:\\{0,3}["'])?\s{0,8}[:=]\s{0,8})(?:\\{0,3}["'])?[^\r\n"'\\]{1,}/gi;

const BEARER = /(\bbearer(?:\s{1,8}|%20|\+)(?:token\s{0,8}[:=]?\s{1,8})?)[^\s"',;<>\\]{1,}/gi;

/** A name that announces a credential, with everything up to the credential. */
const NAMED =
  /(?:pass(?:word|wd|phrase|code)|pwd|secret|token|api[-_. ]?key|access[-_. ]?key|private[-_. ]?key|credentials?|session[-_. ]?id|signature|[?&](?:key|code|auth|sig|pass))[\w.-]{0,24}(?:\\{0,3}["'])?\s{0,8}(?:=>|:=|[:=])\s{0,8}/gi;

const VALUE_END = /[\s"'`&,;<>\\]/g;

/** Runs of the characters of keys and tokens. */
const RUN = /[\w.~+/=-]{8,}/g;

/** Known prefixes of keys: ours, JSON Web Tokens, and those of well-known services. */
const KEY_START =
  /svc_[0-9A-Za-z]{10}|eyJ[\w-]{4}|gh[pousr]_[0-9A-Za-z]{16}|github_pat_\w{16}|xox[abposr]-\w{4}|(?:sk|rk|pk)_(?:live|test)_\w{8}|sk-[\w-]{16}|A(?:KIA|SIA)[0-9A-Z]{12}|AIza[\w-]{16}|glpat-[\w-]{12}|npm_[0-9A-Za-z]{16}/;

const SEPARATOR = String.raw`(?:[\\/]|%2F|%5C){1,4}`;
/** A folder name of up to 64 characters. It may contain spaces if a separator follows. */
const NAME = String.raw`(?:(?:(?!%2F|%5C)[^\\/\r\n\t:"'<>|*?]){1,64}(?=[\\/]|%2F|%5C)|(?:(?!%2F|%5C)[^\s\\/:"'<>|*?,;()]){1,64})`;
const HOMES = [
  // macOS and Linux, and `/mnt/c/Users` of Linux on Windows.
  new RegExp(String.raw`(?:\b[A-Za-z](?::|%3A))?${SEPARATOR}(?:Users|home)${SEPARATOR}${NAME}`, 'gu'),
  // Windows ignores the case of folder names.
  new RegExp(String.raw`\b[A-Za-z](?::|%3A)${SEPARATOR}(?:users|documents and settings)${SEPARATOR}${NAME}`, 'giu'),
];

const EMAIL_ADDRESS =
  /[\p{L}\p{N}._%+'-]{1,64}(?:@|%40)[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,8}\.\p{L}{2,24}/gu;

/** Extensions of scripts in stack traces (`render@app.js:3:1`). No internet domain ends like them. */
const SCRIPT = /\.(?:[mc]?[jt]sx?|(?:js)?bundle|html)$/i;

/** The end of the value that begins at `start`, and its quotation marks. */
const valueAt = (text: string, start: number): { end: number; opening: string; closing: string } => {
  if (text.startsWith(SECRET, start)) return { end: start + SECRET.length, opening: '', closing: '' };
  const [opening = ''] = /^\\{0,3}["'`]/.exec(text.slice(start, start + 4)) ?? [];
  if (opening === '') {
    VALUE_END.lastIndex = start;
    return { end: VALUE_END.exec(text)?.index ?? text.length, opening, closing: '' };
  }
  const close = text.indexOf(opening, start + opening.length);
  const line = text.indexOf('\n', start);
  if (close >= 0 && (line < 0 || close < line)) return { end: close + opening.length, opening, closing: opening };
  return { end: line < 0 ? text.length : line, opening, closing: '' };
};

const withoutNamed = (text: string): string => {
  let scrubbed = '';
  let at = 0;
  for (const { 0: name, index } of text.matchAll(NAMED)) {
    const start = index + name.length;
    if (index < at) continue;
    const { end, opening, closing } = valueAt(text, start);
    if (end === start) continue;
    scrubbed += text.slice(at, start) + opening + SECRET + closing;
    at = end;
  }
  return scrubbed + text.slice(at);
};

const withoutKey = (run: string): string => {
  const start = run.search(KEY_START);
  return start < 0 ? run : run.slice(0, start) + SECRET;
};

const withoutAddress = (found: string): string => (SCRIPT.test(found) ? found : EMAIL);

const once = (text: string): string => {
  let left = text.replaceAll(PRIVATE_KEY, SECRET);
  left = left.replaceAll(URL_USER, `$1${SECRET}@`);
  left = left.replaceAll(HEADER, `$1${SECRET}`);
  left = left.replaceAll(BEARER, `$1${SECRET}`);
  left = withoutNamed(left).replaceAll(RUN, withoutKey);
  for (const home of HOMES) left = left.replaceAll(home, HOME);
  return left.replaceAll(EMAIL_ADDRESS, withoutAddress);
};

/** The maximum number of passes. A replacement rarely creates a new match, and then one further pass finds it. */
const PASSES = 4;

/**
 * The text without credentials, email addresses and paths of home directories, so that it can be stored. A second call
 * changes nothing. It runs in linear time.
 */
export const scrubText = (text: string): string => {
  let left = withoutControls(text);
  for (let pass = 0; pass < PASSES; pass++) {
    const next = once(left);
    if (next === left) break;
    left = next;
  }
  return left;
};

/** Names of fields whose value is a credential, whatever its form. */
const SECRET_NAME =
  /pass(?:word|wd|phrase|code)|^(?:pwd|pin|auth|sig|jwt|bearer)$|secret|token|authorization|cookie|credential|(?:api|access|private|signing|license)[-_. ]?key|session[-_. ]?id|signature/i;

const isSecretValue = (value: unknown): boolean => value !== null && typeof value !== 'boolean';

const member = ([name, value]: [string, unknown]): [string, unknown] => [
  scrubText(name),
  SECRET_NAME.test(name) && isSecretValue(value) ? SECRET : scrubJson(value),
];

/**
 * Scrubs every string of a JSON value, including field names. The value of a field with a secret's name is replaced.
 */
const scrubJson = (value: unknown): unknown => {
  if (typeof value === 'string') return scrubText(value);
  if (Array.isArray(value)) return value.map(scrubJson);
  if (typeof value === 'object' && value !== null) return scrubObject(value);
  return value;
};

/** Scrubs every string of an object like `scrubText`. Callers must limit the depth of the object. */
export const scrubObject = (value: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).map(member));

export const scrubNullable = (text: string | null): string | null => (text === null ? null : scrubText(text));
