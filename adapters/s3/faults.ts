import { S3ServiceException } from '@aws-sdk/client-s3';
import { StoreUnavailable } from '../store/table.ts';

const CREDENTIALS = new Set(['CredentialsProviderError', 'TokenProviderError']);
const TIMED_OUT = new Set(['AbortError', 'TimeoutError']);
/** Codes of Node for a connection that failed or ended, such as ECONNRESET, and for a certificate that is wrong. */
const CONNECTION = /^(?!ERR_)E[A-Z_]+$|^ERR_(?:TLS|SSL)_|CERT/;

/** Status of an answer that S3 gave; 0 where it gave none. An answer to HEAD has no body, and so no name of its own. */
export const statusOf = (error: unknown): number =>
  error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 0) : 0;

/** There is no such object, which isn't the same as that there is no such bucket. HEAD does not tell which. */
export const isMissing = (error: unknown): boolean =>
  statusOf(error) === 404 && error instanceof Error && error.name !== 'NoSuchBucket';

/** The key is taken, or about to be by somebody else. */
export const isTaken = (error: unknown): boolean => statusOf(error) === 412 || statusOf(error) === 409;

const answered = (status: number, name: string): string => {
  if (status === 403) return `its credentials are refused (${name})`;
  if (status === 404) return 'there is no such bucket';
  if (status === 301) return 'it is in another region';
  return status === 503 || status === 429
    ? `it takes no more requests at the moment (${name})`
    : `it answers ${status} (${name})`;
};

const reasonOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  const { name, message } = error;
  if (statusOf(error) > 0) return answered(statusOf(error), name);
  if (CREDENTIALS.has(name)) return 'no credentials are found';
  if (message === 'Region is missing') return 'no region is named (AWS_REGION)';
  const code = 'code' in error ? String(error.code) : '';
  // The SDK calls a connection that broke a TimeoutError, too.
  if (code !== 'ETIMEDOUT' && CONNECTION.test(code)) return `it can't be reached (${code})`;
  return TIMED_OUT.has(name) || code === 'ETIMEDOUT' ? 'it does not answer' : undefined;
};

/** StoreUnavailable, in one line that names the bucket, for what S3 or the way to it is to blame for; else the error. */
export const asUnavailable = (bucket: string, error: unknown): unknown => {
  const reason = reasonOf(error);
  return reason === undefined
    ? error
    : new StoreUnavailable(`The bucket ${bucket} is unavailable: ${reason}.`, { cause: error });
};
