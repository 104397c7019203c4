import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The status, code and message of an S3 error. */
export type Refusal = { readonly status: number; readonly code: string; readonly message: string };

export type Credentials = { readonly accessKeyId: string; readonly secretAccessKey: string };

const ALGORITHM = 'AWS4-HMAC-SHA256';

const denied = (code: string, message: string): Refusal => ({ status: 403, code, message });
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Percent-encodes all characters except the unreserved ones of RFC 3986. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

const canonicalQuery = (query: URLSearchParams): string =>
  [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');

/** The parts of a signature, from a header or from the query of a presigned URL. */
type Claim = {
  accessKeyId: string;
  scope: string;
  date: string;
  signedHeaders: string;
  signature: string;
  payload: string;
};

const claimInQuery = (query: URLSearchParams): Claim => {
  const [accessKeyId = '', ...scope] = (query.get('X-Amz-Credential') ?? '').split('/');
  return {
    accessKeyId,
    scope: scope.join('/'),
    date: query.get('X-Amz-Date') ?? '',
    signedHeaders: query.get('X-Amz-SignedHeaders') ?? '',
    signature: query.get('X-Amz-Signature') ?? '',
    payload: 'UNSIGNED-PAYLOAD',
  };
};

const claimInHeader = ({ headers }: IncomingMessage): Claim | undefined => {
  const [, accessKeyId, scope, signedHeaders, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  if (!accessKeyId || !scope || !signedHeaders || !signature) return undefined;
  const date = String(headers['x-amz-date']);
  return { accessKeyId, scope, date, signedHeaders, signature, payload: String(headers['x-amz-content-sha256']) };
};

const signatureOf = (req: IncomingMessage, url: URL, claim: Claim, secret: string): string => {
  const names = claim.signedHeaders.split(';');
  const headers = names
    .map(
      (name) =>
        `${name}:${String(req.headers[name] ?? '')
          .trim()
          .replace(/ +/g, ' ')}\n`,
    )
    .join('');
  const path = (req.url ?? '').split('?')[0];
  const request = [req.method, path, canonicalQuery(url.searchParams), headers, claim.signedHeaders, claim.payload];
  const toSign = [ALGORITHM, claim.date, claim.scope, sha256(request.join('\n'))].join('\n');
  const key = claim.scope.split('/').reduce<string | Buffer>((part, text) => hmac(part, text), `AWS4${secret}`);
  return hmac(key, toSign).toString('hex');
};

const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

const instantOf = (date: string): number =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

/**
 * Checks the Signature Version 4 of an S3 request, in its header or its URL, and the expiry of a presigned URL. See
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html.
 */
export const checkSignature = (req: IncomingMessage, url: URL, known: Credentials): Refusal | undefined => {
  const presigned = url.searchParams.has('X-Amz-Signature');
  if (presigned && req.headers.authorization !== undefined) {
    return { status: 400, code: 'InvalidArgument', message: 'Only one auth mechanism allowed' };
  }
  const claim = presigned ? claimInQuery(url.searchParams) : claimInHeader(req);
  if (!claim) return denied('AccessDenied', 'Access Denied');
  if (claim.accessKeyId !== known.accessKeyId) return denied('InvalidAccessKeyId', 'There is no such access key.');
  if (!isSame(claim.signature, signatureOf(req, url, claim, known.secretAccessKey))) {
    return denied('SignatureDoesNotMatch', 'The signature is not the one of this request.');
  }
  const ends = instantOf(claim.date) + Number(url.searchParams.get('X-Amz-Expires')) * 1000;
  if (presigned && !(ends > Date.now())) return denied('AccessDenied', 'Request has expired');
  return undefined;
};
