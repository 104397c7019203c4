import { SECRET, scrubText } from './scrub-text.ts';

/** Names of members whose value is a credential, whatever its form. */
const SECRET_NAME =
  /pass(?:word|wd|phrase|code)|^(?:pwd|pin|auth|sig|jwt|bearer)$|secret|token|authorization|cookie|credential|(?:api|access|private|signing|license)[-_. ]?key|session[-_. ]?id|signature/i;

const isSecretValue = (value: unknown): boolean => value !== null && typeof value !== 'boolean';

const member = ([name, value]: [string, unknown]): [string, unknown] => [
  scrubText(name),
  SECRET_NAME.test(name) && isSecretValue(value) ? SECRET : scrubJson(value),
];

/**
 * Scrubs every string of a JSON value, also names of members. The value of a member with a secret's name is replaced.
 */
const scrubJson = (value: unknown): unknown => {
  if (typeof value === 'string') return scrubText(value);
  if (Array.isArray(value)) return value.map(scrubJson);
  if (typeof value === 'object' && value !== null) return scrubObject(value);
  return value;
};

/** Scrubs every string of an object as `scrubText` does. Callers must bound the depth of the object. */
export const scrubObject = (value: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).map(member));

/** Scrubs a text as `scrubText` does; null stays null. */
export const scrubNullable = (text: string | null): string | null => (text === null ? null : scrubText(text));
