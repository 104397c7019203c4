import type * as z from 'zod';

/** Error sentences by dotted field, in the form of Laravel, which clients of this API know. */
export type FieldErrors = Record<string, string[]>;

type Issue = z.core.$ZodIssue;

const at = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, part) => (value as Record<PropertyKey, unknown> | null | undefined)?.[part], input);

/** zod's types in words. The API takes integers only, and zod says `number` if it gets no number at all. */
const KINDS: Readonly<Record<string, string>> = {
  int: 'an integer',
  number: 'an integer',
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

const size = (origin: string, bound: string): string =>
  origin === 'string' ? `${bound} characters` : origin === 'array' ? `${bound} items` : bound;

const sentence = (issue: Issue, name: string, value: unknown): string => {
  if (value === undefined || (value === null && issue.code === 'invalid_type')) return `The ${name} field is required.`;
  switch (issue.code) {
    case 'invalid_type':
      return `The ${name} field must be ${KINDS[issue.expected] ?? issue.expected}.`;
    case 'too_small':
      return issue.origin !== 'number' && issue.minimum === 1
        ? `The ${name} field must not be empty.`
        : `The ${name} field must be at least ${size(issue.origin, String(issue.minimum))}.`;
    case 'too_big':
      return `The ${name} field must not be greater than ${size(issue.origin, String(issue.maximum))}.`;
    case 'invalid_value':
      return `The ${name} field must be one of ${issue.values.filter((one) => one !== null).join(', ')}.`;
    case 'invalid_format':
      return issue.format === 'datetime'
        ? `The ${name} field must be a date and time such as 2026-11-21T08:00:00Z.`
        : customOr(issue, `The ${name} field has an invalid format.`);
    default:
      return customOr(issue, `The ${name} field is invalid.`);
  }
};

/** The message that the schema was given; `otherwise` in place of a message of zod's own. */
const customOr = (issue: Issue, otherwise: string): string =>
  issue.message.startsWith('The ') ? issue.message : otherwise;

/** The faults of an input, one sentence each, by dotted path (`days.3.usage_date`). */
export const fieldErrors = (issues: readonly Issue[], input: unknown): FieldErrors => {
  const errors: FieldErrors = {};
  for (const issue of issues) {
    const field = issue.path.map(String).join('.') || 'body';
    const name = field.replaceAll('_', ' ');
    (errors[field] ??= []).push(sentence(issue, name, at(input, issue.path)));
  }
  return errors;
};

/** The first sentence, and the number of the others. */
export const summary = (errors: FieldErrors): string => {
  const [first = 'The given data was invalid.', ...more] = Object.values(errors).flat();
  return more.length === 0 ? first : `${first} (and ${more.length} more error${more.length === 1 ? '' : 's'})`;
};
