import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorPage, PAGE_HEADERS } from './error-page.ts';

/** An error of the standard (RFC 6749, section 5.2). */
export type OAuthError = { readonly error: string; readonly error_description: string };

export const UNAVAILABLE: OAuthError = {
  error: 'temporarily_unavailable',
  error_description: 'The service is temporarily unavailable. Try again in a moment.',
};

/** The description of a fault that is no client's doing. */
export const FAULT = 'Something went wrong here. It was recorded.';

const COMMON = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

type Headers = Readonly<Record<string, string>>;

const send = (req: IncomingMessage, res: ServerResponse, status: number, headers: Headers, text: string): void => {
  res.writeHead(status, { ...COMMON, ...headers, 'content-length': Buffer.byteLength(text) });
  res.end(req.method === 'HEAD' ? undefined : text);
};

/** Sends JSON that no cache keeps, unless the headers say otherwise. */
export const sendJson = (
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  body: object,
  headers: Headers = {},
): void =>
  send(
    req,
    res,
    status,
    { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8', ...headers },
    JSON.stringify(body),
  );

/** Sends an error page to a person's browser, and JSON to a client. */
export const sendError = (
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  error: OAuthError,
  { page, headers = {} }: { readonly page?: ErrorPage | undefined; readonly headers?: Headers } = {},
): void => {
  if (!page) {
    sendJson(req, res, status, error, headers);
    return;
  }
  const { html, locale } = page(req, error);
  const type = { 'content-type': 'text/html; charset=utf-8', 'content-language': locale };
  send(req, res, status, { ...PAGE_HEADERS, ...type, ...headers }, html);
};
