import { S3ServiceException } from '@aws-sdk/client-s3';
import { StoreUnavailable } from '../store/table.ts';

const CREDENTIALS = new Set(['CredentialsProviderError', 'TokenProviderError']);
const TIMED_OUT = new Set(['AbortError', 'TimeoutError']);
/** Node's codes for a failed or closed connection, such as ECONNRESET, and for an invalid certificate. */
const CONNECTION = /^(?!ERR_)E[A-Z_]+$|^ERR_(?:TLS|SSL)_|CERT/;

/** The status of S3's response; 0 if there was none. A response to HEAD has no body, so its error has no name. */
export const statusOf = (error: unknown): number =>
  error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 0) : 0;

/**
 * True for a missing object, false for a missing bucket. HEAD cannot distinguish them; then the result is true for
 * both.
 */
export const isMissing = (error: unknown): boolean =>
  statusOf(error) === 404 && error instanceof Error && error.name !== 'NoSuchBucket';

/** True if the credentials lack a permission, or lack the one to learn that an object is missing. */
export const isRefused = (error: unknown): boolean => statusOf(error) === 403;

/** True if the key exists or a concurrent put is creating it. */
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
  // The SDK calls a broken connection a TimeoutError too.
  if (code !== 'ETIMEDOUT' && CONNECTION.test(code)) return `it can't be reached (${code})`;
  return TIMED_OUT.has(name) || code === 'ETIMEDOUT' ? 'it does not answer' : undefined;
};

/**
 * Turns a fault of S3 or of its connection into StoreUnavailable, with a one-line message that names the bucket.
 * Returns any other error unchanged.
 */
export const asUnavailable = (bucket: string, error: unknown): unknown => {
  const reason = reasonOf(error);
  return reason === undefined
    ? error
    : new StoreUnavailable(`The bucket ${bucket} is unavailable: ${reason}.`, { cause: error });
};
