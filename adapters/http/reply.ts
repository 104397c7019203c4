import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RateVerdict } from '../../domain/access/rate-limit.ts';
import type { Refused } from '../../domain/shared/outcome.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import { refusalBody, refusalStatus } from '../pipeline/refusal-body.ts';

export const NO_STORE = 'private, no-store';

/** Seconds after which a client may try again while the store can't be reached. */
const UNAVAILABLE_RETRY_SECONDS = 5;

export const sendJson = (res: ServerResponse, status: number, body: unknown): void => {
  const bytes = Buffer.from(JSON.stringify(body));
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length });
  res.end(bytes);
};

export const rateHeaders = (res: ServerResponse, { limit, remaining }: RateVerdict): void => {
  res.setHeader('X-RateLimit-Limit', limit);
  res.setHeader('X-RateLimit-Remaining', remaining);
};

/** A refusal as specified, with the headers that belong to its status. */
export const sendRefusal = (res: ServerResponse, refused: Refused<RefusalCode>, rate?: RateVerdict): void => {
  const status = refusalStatus(refused.code);
  res.setHeader('Cache-Control', NO_STORE);
  if (status === 401) {
    const error = refused.code === 'invalid_api_key' ? ', error="invalid_token"' : '';
    res.setHeader('WWW-Authenticate', `Bearer realm="account-api"${error}`);
  }
  if (status === 429 && rate) {
    res.setHeader('Retry-After', rate.retry_after);
    res.setHeader('X-RateLimit-Reset', rate.resets_at);
  }
  if (status === 503) res.setHeader('Retry-After', UNAVAILABLE_RETRY_SECONDS);
  sendJson(res, status, refusalBody(refused));
};

/** Whether If-None-Match names the tag (RFC 9110 §13.1.2: weak comparison, `*` names all). */
const matches = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  header.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));

/** Sends what may be kept and asked for again by its strong ETag; 304 where the client has it. */
export const sendRevalidated = (
  req: IncomingMessage,
  res: ServerResponse,
  body: string | Buffer,
  contentType: string,
  cacheControl = 'private, no-cache',
): void => {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const etag = `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"`;
  res.setHeader('ETag', etag);
  res.setHeader('Cache-Control', cacheControl);
  if (matches(req.headers['if-none-match'], etag)) {
    res.writeHead(304).end();
    return;
  }
  res.writeHead(200, { 'Content-Type': contentType, 'Content-Length': bytes.length });
  res.end(bytes);
};
