import type * as z from 'zod';
import { countOf } from '../../domain/shared/count-of.ts';

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

/** The nouns of what a bound counts, by zod's origin of the value. */
const COUNTED: Readonly<Record<string, string>> = { string: 'character', array: 'item' };

const size = (origin: string, bound: number | bigint): string => {
  const noun = COUNTED[origin];
  return noun === undefined ? String(bound) : countOf(Number(bound), noun);
};

/** True where the value stands for none: absent, null, or an empty text in the place of another type. */
const isMissing = (issue: Issue, value: unknown): boolean =>
  value === undefined || (issue.code === 'invalid_type' && (value === null || value === ''));

const sentence = (issue: Issue, name: string, value: unknown): string => {
  if (isMissing(issue, value)) return `The ${name} field is required.`;
  switch (issue.code) {
    case 'invalid_type':
      return `The ${name} field must be ${KINDS[issue.expected] ?? issue.expected}.`;
    case 'too_small':
      return issue.origin !== 'number' && issue.minimum === 1
        ? `The ${name} field must not be empty.`
        : `The ${name} field must be at least ${size(issue.origin, issue.minimum)}.`;
    case 'too_big':
      return `The ${name} field must not be greater than ${size(issue.origin, issue.maximum)}.`;
    case 'invalid_value':
      return `The ${name} field must be one of ${issue.values.filter((one) => one !== null).join(', ')}.`;
    case 'invalid_format':
      return issue.format === 'datetime'
        ? `The ${name} field must be a date and time such as 2026-11-21T08:00:00Z.`
        : customOr(issue, name, `The ${name} field has an invalid format.`);
    default:
      return customOr(issue, name, `The ${name} field is invalid.`);
  }
};

/** The message that the schema was given, whole or from its verb on; `otherwise` in place of a message of zod's own. */
const customOr = ({ message }: Issue, name: string, otherwise: string): string => {
  if (message.startsWith('must ')) return `The ${name} field ${message}`;
  return message.startsWith('The ') ? message : otherwise;
};

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

/** The faults of query parameters that came more than once with different values. `fields` are those that are known. */
export const repeatFaults = (query: Readonly<Record<string, unknown>>, fields: readonly string[]): FieldErrors =>
  Object.fromEntries(
    fields
      .filter((field) => Array.isArray(query[field]))
      .map((field) => [
        field,
        [`The ${field.replaceAll('_', ' ')} field was sent more than once with different values; send it once.`],
      ]),
  );

/** The first sentence, and the number of the others. */
export const summary = (errors: FieldErrors): string => {
  const [first = 'The given data was invalid.', ...more] = Object.values(errors).flat();
  return more.length === 0 ? first : `${first} (and ${countOf(more.length, 'more error')})`;
};
