import express, { type Request, type Response } from 'express';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';

const DEFAULT_LIMIT = 64 * 1024;

type BodyError = Error & { status?: number; type?: string };

const problem = (error: BodyError, limit: number): Outcome<never, RefusalCode> => {
  switch (error.type) {
    case 'entity.too.large':
      return refuse('body_too_large', { message: `The body is too large; this call takes at most ${limit} bytes.` });
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return refuse('unsupported_media_type', {
        message: `${error.message}; send the body as application/json in UTF-8.`,
      });
    default:
      return refuse('malformed_body');
  }
};

/**
 * Reads a JSON body of at most `limit` bytes; no body at all is an empty object. What is wrong with it is a value and
 * not an exception, because the credential and the other gates are answered for first.
 */
export const bodyReader = (limit: number = DEFAULT_LIMIT) => {
  // Not strict: what is valid JSON but no object is for the schema to refuse.
  const parse = express.json({ limit, strict: false, type: ['application/json', 'application/*+json'] });
  return (req: Request, res: Response): Promise<Outcome<unknown, RefusalCode>> => {
    const type = req.headers['content-type'];
    const isEmpty = req.headers['content-length'] === '0' || (type === undefined && !hasBody(req));
    if (!isEmpty && !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type ?? '')) {
      req.resume();
      const sent = type === undefined ? 'without a content type' : `as ${type.slice(0, 60)}`;
      return Promise.resolve(
        refuse('unsupported_media_type', { message: `Send the body as application/json; it came ${sent}.` }),
      );
    }
    return new Promise((resolve) => {
      parse(req, res, (error?: unknown) => {
        resolve(error ? problem(error as BodyError, limit) : ok(req.body === undefined ? {} : req.body));
      });
    });
  };
};

const hasBody = (req: Request): boolean =>
  req.headers['transfer-encoding'] !== undefined || req.headers['content-length'] !== undefined;
