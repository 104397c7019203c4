import { dirname } from 'node:path';
import jsonc from 'jsonc-parser';
import type * as z from 'zod';
import { FilesystemStoreFiles } from '../../adapters/filesystem/store-files.ts';
import { refusePolicy } from '../../application/policy/set-policy.ts';
import {
  type ImportCounts,
  refuseDocument,
  type StoreToImport,
} from '../../application/store-document/import-store.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { PolicyInput } from '../../domain/policy/client-policy.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import type { Fault } from '../../domain/shared/fault.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { StoreDocument } from '../../ports/inbound/store-document/store-document.ts';
import type { Service } from '../composition/bootstrap.ts';
import { readText } from './read-text.ts';

/** Turns `PropertyNameExpected` into `property name expected`. */
const inWords = (name: string): string => name.replaceAll(/(?<!^)[A-Z]/g, ' $&').toLowerCase();

/** The line, the column and the reason of the first error in the text. */
const whatIsWrong = (text: string, error: unknown): string => {
  const errors: jsonc.ParseError[] = [];
  jsonc.parse(text, errors, { disallowComments: true });
  const [first] = errors;
  if (!first) return String(error);
  const before = text.slice(0, first.offset).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  return `line ${before.length}, column ${column}: ${inWords(jsonc.printParseErrorCode(first.error))}`;
};

export type Unreadable = 'unreadable_document' | 'malformed_json';

/**
 * Reads the JSON value in an operator's file. The refusal of invalid JSON names line and column; `undone` ends its
 * message, such as `nothing was imported`.
 */
const readJsonFile = async (file: string, undone: string): Promise<Outcome<unknown, Unreadable>> => {
  const text = await readText({ file }, 'unreadable_document', undone);
  if (!text.ok) return text;
  try {
    return ok(JSON.parse(text.value));
  } catch (error) {
    const message = `${file} is not JSON, ${whatIsWrong(text.value, error)}; ${undone}.`;
    return refuse('malformed_json', { message });
  }
};

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
  email: 'an email address',
  url: 'a URL',
};

const bounded = ({ origin }: { origin: string }, how: string, count: number | bigint): string => {
  const unit = origin === 'string' ? 'character' : origin === 'array' ? 'item' : '';
  return unit === '' ? `must be ${how} ${count}` : `must have ${how} ${countOf(Number(count), unit)}`;
};

/** The end of a sentence whose subject is the path of the value, if the schema has no message. */
const message: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined) return 'is missing';
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
      return issue.format === 'regex' ? undefined : `must be ${FORMATS[issue.format] ?? 'in another form'}`;
    default:
      return undefined;
  }
};

const pathOf = (path: readonly PropertyKey[]): string => path.map(String).join('.') || 'the document';

/** The faults of a document's form: the first fault of each dotted path, and one fault for each unknown field. */
const formFaults = (issues: readonly z.core.$ZodIssue[]): Fault[] => {
  const firsts = new Map<string, string>();
  const add = (path: readonly PropertyKey[], why: string): void => {
    const name = pathOf(path);
    if (!firsts.has(name)) firsts.set(name, why);
  };
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') add(issue.path, issue.message);
    else for (const key of issue.keys) add([...issue.path, key], 'is not a known member');
  }
  return [...firsts].map(([path, why]) => ({ path, message: why }));
};

/** Checks the form of a store document and the rules within its records. Returns the document, or all its faults. */
export const checkForm = (
  json: unknown,
): { readonly document: StoreDocument } | { readonly faults: readonly Fault[] } => {
  const parsed = StoreDocument.safeParse(json, { error: message });
  return parsed.success ? { document: parsed.data } : { faults: formFaults(parsed.error.issues) };
};

const readStoreFile = async (file: string): Promise<Outcome<StoreToImport, Unreadable | 'invalid_document'>> => {
  const json = await readJsonFile(file, 'nothing was imported');
  if (!json.ok) return json;
  const checked = checkForm(json.value);
  return 'faults' in checked
    ? refuseDocument(checked.faults)
    : ok({ document: checked.document, files: new FilesystemStoreFiles(dirname(file)) });
};

/**
 * Checks a store document from a file, and the files beside it, and writes nothing. It refuses the same faults as the
 * import.
 */
export const checkStoreFile = async (
  service: Service,
  file: string,
): Promise<Outcome<null, Unreadable | 'invalid_document'>> => {
  const read = await readStoreFile(file);
  if (!read.ok) return read;
  const { faults } = await service.get('checkStore')(read.value);
  return faults.length > 0 ? refuseDocument(faults) : ok(null);
};

/**
 * Imports a store document from a file, with the files beside it. A refusal changes nothing. If the document is JSON
 * but has faults, `data.faults` has the path and message of each.
 */
export const loadStoreFile = async (
  service: Service,
  file: string,
  permit: Permit,
  { progress, warned }: Pick<StoreToImport, 'progress' | 'warned'> = {},
): Promise<Outcome<ImportCounts, Unreadable | 'invalid_document'>> => {
  const read = await readStoreFile(file);
  if (!read.ok) return read;
  const reporters = { ...(progress && { progress }), ...(warned && { warned }) };
  return service.get('importStore')(permit, { ...read.value, ...reporters });
};

/** The fault with its path within the policy, from a fault of a store document's `policy`. */
const within = ({ path, message }: Fault): Fault => ({ path: path.replace(/^policy\.?/, '') || 'the policy', message });

/**
 * Reads a client policy from a file, in the form of `policy` in a store document. If the file is JSON but has faults,
 * `data.faults` has the path and message of each.
 */
export const readPolicyFile = async (file: string): Promise<Outcome<PolicyInput, Unreadable | 'invalid_policy'>> => {
  const json = await readJsonFile(file, 'nothing was changed');
  if (!json.ok) return json;
  const checked = checkForm({ format: 1, policy: json.value });
  if ('faults' in checked) return refusePolicy(checked.faults.map(within));
  const { policy } = checked.document;
  if (!policy) throw new Error('A document that was given a policy has none.');
  return ok(policy);
};
