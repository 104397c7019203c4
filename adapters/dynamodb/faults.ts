import { type AttributeValue, ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

/** Why a call on the store failed, and whether it may have happened. */
export type Fault = {
  /** The end of a sentence whose subject is the table. */
  readonly reason: string;
  /**
   * `undone`: the call did not happen; a retry may succeed. `unknown`: it may have happened. `lasting`: it did not
   * happen, and retries fail until somebody fixes the cause in the reason.
   */
  readonly fate: 'undone' | 'unknown' | 'lasting';
  /** True if the store throttled the call, or others write the same items. */
  readonly isBusy?: true;
};

/** Error names, from https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html */
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

/** Node's codes for a failed or closed connection, such as ECONNRESET, and for an invalid certificate. */
const CONNECTION = /^(?!ERR_)E[A-Z_]+$|^ERR_(?:TLS|SSL)_|CERT/;
const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND']);

/** Fields that an error of the SDK or of Node may have. */
type ErrorFacts = {
  readonly name: string;
  readonly message: string;
  readonly code?: unknown;
  readonly CancellationReasons?: readonly { readonly Code?: string | undefined }[];
  readonly $metadata?: { readonly httpStatusCode?: number; readonly clockSkewCorrected?: boolean };
};

/** The name of the error; for a cancelled transaction, the codes of the writes that caused it. */
const names = ({ name, CancellationReasons }: ErrorFacts): string[] =>
  CancellationReasons?.flatMap(({ Code }) => (Code && Code !== 'None' ? [Code] : [])) ?? [name];

/** The fault, if every cause is transient: throttling, or other writes to the same items. */
const passing = (error: ErrorFacts): Fault | undefined => {
  const all = names(error);
  const throttled = all.find((name) => THROTTLED.has(name));
  if (all.length === 0 || !all.every((name) => THROTTLED.has(name) || IN_THE_WAY.has(name))) return undefined;
  return throttled === undefined
    ? { reason: `others keep writing the same items (${all[0]})`, fate: 'undone', isBusy: true }
    : { reason: `it takes no more requests at the moment (${throttled})`, fate: 'undone', isBusy: true };
};

/** The fault, if it is permanent: every call fails until somebody fixes the cause. */
const lasting = ({ name, message }: ErrorFacts): Fault | undefined => {
  if (name === 'ResourceNotFoundException') return { reason: 'there is no such table', fate: 'lasting' };
  if (REFUSED.has(name)) return { reason: `its credentials are refused (${name})`, fate: 'lasting' };
  if (NO_CREDENTIALS.has(name)) return { reason: 'no credentials are found', fate: 'lasting' };
  if (message === 'Region is missing') return { reason: 'no region is named (AWS_REGION)', fate: 'lasting' };
  return undefined;
};

/** The fault, if the connection failed or the response was invalid. */
const connection = ({ name, code, $metadata }: ErrorFacts): Fault | undefined => {
  const status = $metadata?.httpStatusCode ?? 0;
  if (status >= 500) return { reason: `it answers ${status} (${name})`, fate: 'unknown' };
  // The SDK calls a broken connection a TimeoutError too.
  if (typeof code === 'string' && code !== 'ETIMEDOUT' && CONNECTION.test(code)) {
    return { reason: `it can't be reached (${code})`, fate: NEVER_CONNECTED.has(code) ? 'undone' : 'unknown' };
  }
  return TIMED_OUT.has(name) || code === 'ETIMEDOUT' ? { reason: 'it does not answer', fate: 'unknown' } : undefined;
};

/** The store's fault behind an error; undefined for any other error, such as a failed condition or a bug. */
export const faultOf = (error: unknown): Fault | undefined => {
  if (!(error instanceof Error)) return undefined;
  const facts: ErrorFacts = error;
  // The SDK takes the store's time from this response and signs the next attempt with it.
  if (facts.$metadata?.clockSkewCorrected) return { reason: `the clock of this machine is wrong`, fate: 'undone' };
  return passing(facts) ?? lasting(facts) ?? connection(facts);
};

/** True if a write, or a write of a transaction, did not happen because its condition failed. */
export const isConditionFailed = (error: unknown): boolean =>
  error instanceof Error &&
  names(error).some((name) => name === 'ConditionalCheckFailed' || name === 'ConditionalCheckFailedException');

/** The attributes of the item that made a conditional put fail, if the put requested them. */
export const itemInTheWay = (error: unknown): Record<string, AttributeValue> | undefined =>
  error instanceof ConditionalCheckFailedException ? error.Item : undefined;

/** A batch returned with nothing processed, which is how DynamoDB throttles a batch. */
export class NothingProcessed extends Error {
  override name = 'ProvisionedThroughputExceeded';
}
