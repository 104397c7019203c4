import type { Request, Response } from 'express';
import { type Outcome, refuse } from '../../domain/shared/outcome.ts';
import { bodyTypes, type EndpointSpec } from '../../ports/inbound/endpoint.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import { bodyReader } from './body.ts';
import type { Spool, SpoolFolder } from './spool.ts';

/** Of a form's fields, where the endpoint names no limit. */
const FIELD_BYTES = 64 * 1024;

const FORM = /^multipart\/form-data\b/i;

/** A body that a request may bring. */
export type RequestBody = {
  /** Reads it, when it is asked for. */
  readonly read: () => Promise<Outcome<unknown, RefusalCode>>;
  /** See RawInput. */
  readonly isForm: boolean;
  /** Forgets what was kept of it until the request was answered. */
  readonly discard?: () => Promise<void>;
};

const tooMany = () => refuse('unavailable', { message: 'Too many files are coming in just now; try again shortly.' });

/**
 * Reads the body of an endpoint: JSON, or where a file may come a form, or JSON without it. A form takes one of the
 * folder's places from when it is read until it is discarded, and is refused where none is left.
 */
export const bodyOf = (endpoint: EndpointSpec, folder: SpoolFolder): ((req: Request, res: Response) => RequestBody) => {
  const { bodyLimit, upload } = endpoint;
  const readJson = bodyReader(bodyLimit, bodyTypes(endpoint).join(' or '));
  return (req, res) => {
    if (upload === undefined || !FORM.test(req.headers['content-type'] ?? ''))
      return { read: () => readJson(req, res), isForm: false };
    let spool: Spool | undefined;
    const limits = { fieldBytes: bodyLimit ?? FIELD_BYTES, upload };
    return {
      read: async () => {
        spool = folder.take();
        if (spool === undefined) return tooMany();
        // Loaded with the first form, for few requests are one.
        return (await import('./multipart.ts')).readForm(req, spool, limits);
      },
      isForm: true,
      discard: async () => spool?.remove(),
    };
  };
};
