import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RateVerdict } from '../../domain/access/rate-limit.ts';
import { type Refused, refuse } from '../../domain/shared/outcome.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import { refusalBody, refusalStatus } from '../pipeline/refusal-body.ts';
import { precondition } from './preconditions.ts';
import { endWith } from './whole-answer.ts';

export const NO_STORE = 'private, no-store';

/** Seconds after which a client may try again while the store can't be reached. */
const UNAVAILABLE_RETRY_SECONDS = 5;

export const sendJson = (res: ServerResponse, status: number, body: unknown): void => {
  const text = JSON.stringify(body);
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) };
  endWith(res, status, headers, text);
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

/** Refuses a method that a path doesn't take, and names those it does (RFC 9110, section 15.5.6). */
export const sendWrongMethod = (res: ServerResponse, allowed: readonly string[]): void => {
  res.setHeader('Allow', allowed.join(', '));
  sendRefusal(res, refuse('method_not_allowed'));
};

/** Sends what may be kept and asked for again by its strong ETag; 304 where the client has it. */
export const sendRevalidated = (
  req: IncomingMessage,
  res: ServerResponse,
  body: string | Buffer,
  contentType: string,
  cacheControl = 'private, no-cache',
): void => {
  const etag = `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
  res.setHeader('ETag', etag);
  res.setHeader('Cache-Control', cacheControl);
  if (precondition(req.headers, etag) === 'not modified') {
    res.writeHead(304).end();
    return;
  }
  res.writeHead(200, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body) });
  res.end(body);
};
