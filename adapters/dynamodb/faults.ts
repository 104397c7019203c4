import { type AttributeValue, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

/** Why a call failed for reasons of the store's own, and what is known of what it was to do. */
export type Fault = {
  /** The end of a sentence that begins with the table's name. */
  readonly reason: string;
  /**
   * `undone`: it did not happen, and may go through later. `unknown`: it may have happened. `lasting`: it did not happen,
   * and won't until somebody mends what the reason names.
   */
  readonly fate: 'undone' | 'unknown' | 'lasting';
};

/** Names of errors; https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html */
const THROTTLED = new Set([
  'ProvisionedThroughputExceeded',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingError',
  'ThrottlingException',
]);
const IN_THE_WAY = new Set(['TransactionConflict', 'TransactionConflictException', 'TransactionInProgressException']);
const REFUSED = new Set([
  'AccessDeniedException',
  'ExpiredTokenException',
  'IncompleteSignatureException',
  'InvalidSignatureException',
  'MissingAuthenticationTokenException',
  'UnrecognizedClientException',
]);
const TIMED_OUT = new Set(['AbortError', 'TimeoutError']);
const NO_CREDENTIALS = new Set(['CredentialsProviderError', 'TokenProviderError']);

/** Codes of Node for a connection that failed or ended, such as ECONNRESET, and for a certificate that is wrong. */
const CONNECTION = /^(?!ERR_)E[A-Z_]+$|^ERR_(?:TLS|SSL)_|CERT/;
const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND']);

/** What the errors of the SDK and of Node carry, as far as they do. */
type Told = {
  readonly name: string;
  readonly message: string;
  readonly code?: unknown;
  readonly CancellationReasons?: readonly { readonly Code?: string | undefined }[];
  readonly $metadata?: { readonly httpStatusCode?: number; readonly clockSkewCorrected?: boolean };
};

/** The error's name; of a cancelled transaction, the codes of those of its writes that are to blame. */
const names = ({ name, CancellationReasons }: Told): string[] =>
  CancellationReasons?.flatMap(({ Code }) => (Code && Code !== 'None' ? [Code] : [])) ?? [name];

/** Faults that a later call may not meet, where nothing else is to blame. */
const passing = (error: Told): Fault | undefined => {
  const all = names(error);
  const throttled = all.find((name) => THROTTLED.has(name));
  if (all.length === 0 || !all.every((name) => THROTTLED.has(name) || IN_THE_WAY.has(name))) return undefined;
  return throttled === undefined
    ? { reason: `others keep writing the same items (${all[0]})`, fate: 'undone' }
    : { reason: `it takes no more requests at the moment (${throttled})`, fate: 'undone' };
};

/** What keeps the store from being asked at all. */
const lasting = ({ name, message }: Told): Fault | undefined => {
  if (name === 'ResourceNotFoundException') return { reason: 'there is no such table', fate: 'lasting' };
  if (REFUSED.has(name)) return { reason: `its credentials are refused (${name})`, fate: 'lasting' };
  if (NO_CREDENTIALS.has(name)) return { reason: 'no credentials are found', fate: 'lasting' };
  if (message === 'Region is missing') return { reason: 'no region is named (AWS_REGION)', fate: 'lasting' };
  return undefined;
};

const connection = ({ name, code, $metadata }: Told): Fault | undefined => {
  const status = $metadata?.httpStatusCode ?? 0;
  if (status >= 500) return { reason: `it answers ${status} (${name})`, fate: 'unknown' };
  // The SDK calls a connection that broke a TimeoutError, too.
  if (typeof code === 'string' && code !== 'ETIMEDOUT' && CONNECTION.test(code)) {
    return { reason: `it can't be reached (${code})`, fate: NEVER_CONNECTED.has(code) ? 'undone' : 'unknown' };
  }
  return TIMED_OUT.has(name) || code === 'ETIMEDOUT' ? { reason: 'it does not answer', fate: 'unknown' } : undefined;
};

/** What went wrong around the store; undefined for anything else, such as a condition that doesn't hold, or a bug. */
export const faultOf = (error: unknown): Fault | undefined => {
  if (!(error instanceof Error)) return undefined;
  const told: Told = error;
  // The SDK has learned the store's time from this answer, and signs the next attempt by it.
  if (told.$metadata?.clockSkewCorrected) return { reason: `the clock of this machine is wrong`, fate: 'undone' };
  return passing(told) ?? lasting(told) ?? connection(told);
};

/** Whether a write, or one of a transaction's, did not happen because its condition doesn't hold. */
export const isConditionFailed = (error: unknown): boolean =>
  error instanceof Error &&
  names(error).some((name) => name === 'ConditionalCheckFailed' || name === 'ConditionalCheckFailedException');

/** The attributes of the item that a failed put on a condition met, where it asked for them. */
export const itemInTheWay = (error: unknown): Record<string, AttributeValue> | undefined =>
  error instanceof ConditionalCheckFailedException ? error.Item : undefined;

/** An answer that holds nothing of what was asked for, which is how a batch is throttled. */
export class NothingProcessed extends Error {
  override name = 'ProvisionedThroughputExceeded';
}
