import express, { type Request, type Response } from 'express';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';

const DEFAULT_LIMIT = 64 * 1024;

type BodyError = Error & { status?: number; type?: string };

const tooLarge = (limit: number) =>
  refuse('body_too_large', { message: `The body is too large; this call takes at most ${limit} bytes.` });

const problem = (error: BodyError, limit: number): Outcome<never, RefusalCode> => {
  switch (error.type) {
    case 'entity.too.large':
      return tooLarge(limit);
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return refuse('unsupported_media_type', {
        message: `${error.message}; send the body as application/json in UTF-8.`,
      });
    default:
      return refuse('malformed_body');
  }
};

/** JSON in UTF-8 as it stands: nothing that has to be unpacked or translated. */
const PLAIN_JSON = /^application\/(?:[\w.+-]+\+)?json *(?:; *charset="?utf-8"? *)?$/i;

/** The first byte of UTF-8's byte order mark, which is no JSON. */
const MARK = 0xef;

/** The whole body, where whoever passed the request on has read it already, as serverless-http does. */
const bodyAtHand = (req: Request): Buffer | undefined => {
  const { body, headers } = req as { body?: unknown } & Request;
  return Buffer.isBuffer(body) &&
    PLAIN_JSON.test(headers['content-type'] ?? '') &&
    headers['content-encoding'] === undefined &&
    headers['content-length'] === String(body.length) &&
    body[0] !== MARK
    ? body
    : undefined;
};

const parsed = (body: Buffer, limit: number): Outcome<unknown, RefusalCode> => {
  if (body.length > limit) return tooLarge(limit);
  try {
    return ok(JSON.parse(body.toString()));
  } catch {
    return refuse('malformed_body');
  }
};

/**
 * Reads a JSON body of at most `limit` bytes; no body at all is an empty object. `taken` names the types that the call
 * takes, for who sends another. What is wrong with it is a value and not an exception, because the credential and the other gates are answered for first.
 */
export const bodyReader = (limit: number = DEFAULT_LIMIT, taken = 'application/json') => {
  // Not strict: what is valid JSON but no object is for the schema to refuse.
  const parse = express.json({ limit, strict: false, type: ['application/json', 'application/*+json'] });
  return (req: Request, res: Response): Promise<Outcome<unknown, RefusalCode>> => {
    const type = req.headers['content-type'];
    const isEmpty = req.headers['content-length'] === '0' || (type === undefined && !hasBody(req));
    if (!isEmpty && !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type ?? '')) {
      const sent = type === undefined ? 'without a content type' : `as ${type.slice(0, 60)}`;
      return Promise.resolve(
        refuse('unsupported_media_type', { message: `Send the body as ${taken}; it came ${sent}.` }),
      );
    }
    const body = bodyAtHand(req);
    // To read it out of the stream that it was put into would be a tenth of what a license check costs a function.
    if (body) return Promise.resolve(parsed(body, limit));
    if (Number(req.headers['content-length'] ?? 0) > limit) return Promise.resolve(tooLarge(limit));
    return new Promise((resolve) => {
      parse(req, res, (error?: unknown) => {
        resolve(error ? problem(error as BodyError, limit) : ok(req.body === undefined ? {} : req.body));
      });
    });
  };
};

const hasBody = (req: Request): boolean =>
  req.headers['transfer-encoding'] !== undefined || req.headers['content-length'] !== undefined;
