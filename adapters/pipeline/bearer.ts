import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';

const BEARER = /^Bearer +([^\s]+) *$/i;

/**
 * The credential of an Authorization header (RFC 6750, section 2.1). Refuses an absent or empty header with
 * `missing_api_key`, and a header of any other form with `invalid_api_key`.
 */
export const bearerOf = (header: string | undefined): Outcome<string, 'missing_api_key' | 'invalid_api_key'> => {
  if (header === undefined || header === '') return refuse('missing_api_key');
  const value = BEARER.exec(header)?.[1];
  return value === undefined ? refuse('invalid_api_key') : ok(value);
};
