import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors } from 'oidc-provider';
import type { Language } from '../../domain/shared/language.ts';

const CODES = /^(?:ECONNRESET|ECONNABORTED|EPIPE|ERR_STREAM_PREMATURE_CLOSE|HPE_\w+)$/;

/** True for an error that arose because the client closed the connection. It is not a fault of the service. */
export const isBrokenOff = ({ socket }: IncomingMessage, error: unknown): boolean =>
  socket.destroyed && error instanceof Error && CODES.test(String((error as NodeJS.ErrnoException).code));

/** A fault of the store as an OAuth error: 503 `temporarily_unavailable` (RFC 6749, section 4.1.2.1). */
class Unavailable extends errors.OIDCProviderError {
  override error_description = 'The service is temporarily unavailable. Try again in a moment.';

  constructor(cause: unknown) {
    super(503, 'temporarily_unavailable', { cause });
    // A redirect would make the client give up; a person who sees the page can try again.
    this.expose = true;
    this.allow_redirect = false;
  }
}

/** Logs every fault of a call and rethrows it as a 503. */
export const guarded =
  <A extends readonly unknown[], T>(fault: (error: unknown) => void, call: (...args: A) => Promise<T>) =>
  async (...args: A): Promise<T> => {
    try {
      return await call(...args);
    } catch (error) {
      if (error instanceof errors.OIDCProviderError) throw error;
      fault(error);
      throw new Unavailable(error);
    }
  };

export type ErrorInfo = { readonly error: string; readonly error_description: string; readonly language: Language };

/**
 * Renders the page that a person sees when an application cannot be authorized. `pictures` lists the image sources for
 * its content security policy. It never rejects.
 */
export type RenderError = (info: ErrorInfo) => Promise<{ readonly html: string; readonly pictures: string }>;

/** The page for an error in the language of the browser, with its headers. */
export type ErrorPage = (
  req: IncomingMessage,
  error: Omit<ErrorInfo, 'language'>,
) => Promise<{ readonly html: string; readonly headers: Readonly<Record<string, string>> }>;

/** The headers of a page that loads nothing else and may not be framed. */
export const pageHeaders = (language: Language, pictures: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-language': language,
  'content-security-policy': `default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'${pictures}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
});

/** An OAuth error (RFC 6749, section 5.2). */
export type OAuthError = { readonly error: string; readonly error_description: string };

export const UNAVAILABLE: OAuthError = {
  error: 'temporarily_unavailable',
  error_description: 'The service is temporarily unavailable. Try again in a moment.',
};

/** The description of a fault of the service. */
export const FAULT = 'Something went wrong here. It was recorded.';

const COMMON = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

type Headers = Readonly<Record<string, string>>;

const send = (req: IncomingMessage, res: ServerResponse, status: number, headers: Headers, text: string): void => {
  res.writeHead(status, { ...COMMON, ...headers, 'content-length': Buffer.byteLength(text) });
  res.end(req.method === 'HEAD' ? undefined : text);
};

/** Sends JSON, uncached unless the headers say otherwise. */
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

/** Sends an error as a page to a browser, and as JSON to a client. */
export const sendError = async (
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  error: OAuthError,
  { page, headers = {} }: { readonly page?: ErrorPage | undefined; readonly headers?: Headers } = {},
): Promise<void> => {
  if (!page) {
    sendJson(req, res, status, error, headers);
    return;
  }
  const { html, headers: own } = await page(req, error);
  send(req, res, status, { ...own, ...headers }, html);
};
