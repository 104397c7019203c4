import { SECRET, scrubText } from './scrub-text.ts';

/** Members whose value is a credential, whatever it looks like. */
const SECRET_NAME =
  /pass(?:word|wd|phrase|code)|^(?:pwd|pin|auth|sig|jwt|bearer)$|secret|token|authorization|cookie|credential|(?:api|access|private|signing|license)[-_. ]?key|session[-_. ]?id|signature/i;

const isSecretValue = (value: unknown): boolean => value !== null && typeof value !== 'boolean';

const member = ([name, value]: [string, unknown]): [string, unknown] => [
  scrubText(name),
  SECRET_NAME.test(name) && isSecretValue(value) ? SECRET : scrubJson(value),
];

/** A JSON value whose every string was scrubbed, names of members included; what a member calls a secret is gone. */
const scrubJson = (value: unknown): unknown => {
  if (typeof value === 'string') return scrubText(value);
  if (Array.isArray(value)) return value.map(scrubJson);
  if (typeof value === 'object' && value !== null) return scrubObject(value);
  return value;
};

/** The object likewise. The depth of what it is given has to be bounded. */
export const scrubObject = (value: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).map(member));

/** The text likewise; null stays null. */
export const scrubNullable = (text: string | null): string | null => (text === null ? null : scrubText(text));
