import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';

const BEARER = /^Bearer +([^\s]+) *$/i;

/** The marks that people leave around a value that they copied. No credential has any of them. */
const WRAPPED = /^["'<`]|["'>`]$/;

/** The sentence to a client whose header has another form. It repeats nothing of the header, which may hold a key. */
const howTo = (what: string): string =>
  `Write "Bearer " before the ${what}: the header is "Authorization: Bearer <${what}>", without a colon after Bearer and without quotes or brackets.`;

/**
 * The credential of an Authorization header (RFC 6750, section 2.1). Refuses an absent or empty header with
 * `missing_api_key`, and a header of any other form with `invalid_api_key` and a sentence that says how to write it.
 * `what` names the credential in that sentence.
 */
export const bearerOf = (
  header: string | undefined,
  what = 'key',
): Outcome<string, 'missing_api_key' | 'invalid_api_key'> => {
  if (header === undefined || header === '') return refuse('missing_api_key');
  const value = BEARER.exec(header)?.[1];
  return value === undefined || WRAPPED.test(value) ? refuse('invalid_api_key', { message: howTo(what) }) : ok(value);
};
