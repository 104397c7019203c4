import type * as z from 'zod';
import { countOf } from '../../domain/shared/count-of.ts';
import type { Fault } from '../../domain/shared/fault.ts';
import { StoreDocument } from '../../ports/inbound/operations/store-document.ts';

type Issue = z.core.$ZodIssue;

const KINDS: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'a date and time with an offset, such as 2026-11-21T08:00:00Z',
  email: 'an e-mail address',
  url: 'a URL',
};

const at = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, part) => (value as Record<PropertyKey, unknown> | null | undefined)?.[part], input);

const bounded = ({ origin }: { origin: string }, how: string, count: number | bigint): string => {
  const unit = origin === 'string' ? 'character' : origin === 'array' ? 'item' : '';
  return unit === '' ? `must be ${how} ${count}` : `must have ${how} ${countOf(Number(count), unit)}`;
};

/** The end of a sentence that begins with the path of the value. */
const message = (issue: Issue, value: unknown): string => {
  if (issue.code === 'custom') return issue.message;
  if (value === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return bounded(issue, 'at least', issue.minimum);
    case 'too_big':
      return bounded(issue, 'at most', issue.maximum);
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}`;
    case 'invalid_format':
      return issue.format === 'regex' ? issue.message : `must be ${FORMATS[issue.format] ?? 'in another form'}`;
    default:
      return issue.message;
  }
};

const pathOf = (path: readonly PropertyKey[]): string => path.map(String).join('.') || 'the document';

const faultsOf = (issue: Issue, input: unknown): Fault[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({ path: pathOf([...issue.path, key]), message: 'is not a known member' }))
    : [{ path: pathOf(issue.path), message: message(issue, at(input, issue.path)) }];

/** The faults of a document's form: the first fault of each dotted path, and one fault for each unknown member. */
const formFaults = (issues: readonly Issue[], input: unknown): Fault[] => {
  const firsts = new Map<string, Fault>();
  for (const fault of issues.flatMap((issue) => faultsOf(issue, input))) {
    if (!firsts.has(fault.path)) firsts.set(fault.path, fault);
  }
  return [...firsts.values()];
};

/** Checks the form of a store document and the rules within its records. Returns the document, or all its faults. */
export const checkForm = (
  json: unknown,
): { readonly document: StoreDocument } | { readonly faults: readonly Fault[] } => {
  const parsed = StoreDocument.safeParse(json);
  return parsed.success ? { document: parsed.data } : { faults: formFaults(parsed.error.issues, json) };
};
