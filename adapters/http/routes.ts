import type { Request, RequestHandler, Response } from 'express';
import { Router } from 'express';
import type { Download } from '../../application/shared/download.ts';
import type { Outcome } from '../../domain/shared/outcome.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import type { Answer, Invoker } from '../pipeline/invoke.ts';
import { discardRest } from './discard.ts';
import { locale } from './locale.ts';
import { NO_STORE, rateHeaders, sendJson, sendRefusal, sendRevalidated, sendWrongMethod } from './reply.ts';
import { bodyOf } from './request-body.ts';
import { sendObject } from './send-object.ts';
import type { SpoolFolder } from './spool.ts';

/** What a request was answered with, for the log. */
export type Answered = { readonly endpoint: string; readonly accountId: number | null; readonly code: string | null };

/** `{product}` as Express writes it; `{path}` takes in slashes. */
const expressPath = (path: string): string => path.replace('/{path}', '/*path').replace(/\{(\w+)\}/g, ':$1');

const pathParams = (params: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, Array.isArray(value) ? value.join('/') : String(value)]),
  );

const NOTHING: Readonly<Record<string, string>> = {};

const noBody = async (): Promise<Outcome<unknown, RefusalCode>> => ({ ok: true, value: null });

const headerText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

/** One route for each endpoint, and 405 with `Allow` for the other methods of its path. */
export const endpointRoutes = (
  endpoints: readonly EndpointSpec[],
  invoker: Invoker,
  spool: SpoolFolder,
): RequestHandler => {
  const router = Router({ caseSensitive: true });
  const methods = new Map<string, string[]>();
  const plain = new Map<string, RequestHandler>();
  for (const endpoint of endpoints) {
    const path = expressPath(endpoint.path);
    const handler = endpointHandler(endpoint, invoker, spool);
    const taken = endpoint.method === 'GET' ? ['GET', 'HEAD'] : [endpoint.method];
    if (path === endpoint.path) for (const method of taken) plain.set(`${method} ${path}`, handler);
    else router[endpoint.method.toLowerCase() as 'get' | 'post' | 'put'](path, handler);
    methods.set(path, [...(methods.get(path) ?? []), ...taken]);
  }
  for (const [path, allowed] of methods) {
    router.all(path, (_req, res) => {
      sendWrongMethod(res, allowed);
    });
  }
  // A path without parameters is found by one look-up, before the router, which tries its routes one after another.
  return (req, res, next) => (plain.get(`${req.method} ${req.path}`) ?? router)(req, res, next);
};

const endpointHandler = (endpoint: EndpointSpec, invoker: Invoker, spool: SpoolFolder): RequestHandler => {
  const bodyFor = endpoint.body ? bodyOf(endpoint, spool) : undefined;
  const hasParams = endpoint.path.includes('{');
  const vary = variesBy(endpoint);
  return async (req, res) => {
    const body = bodyFor?.(req, res);
    try {
      const answer = await invoker.invoke(
        endpoint,
        {
          path: hasParams ? pathParams(req.params) : NOTHING,
          query: endpoint.query ? req.query : NOTHING,
          body: body?.read ?? noBody,
          isForm: body?.isForm ?? false,
        },
        {
          authorization: req.headers.authorization,
          address: () => req.ip ?? '',
          locale: locale(req),
          idempotencyKey: headerText(req.headers['idempotency-key']),
        },
      );
      if (!req.complete) discardRest(req, res);
      await reply(endpoint, vary, answer, req, res);
    } finally {
      await body?.discard?.();
    }
  };
};

const reply = (
  endpoint: EndpointSpec,
  vary: string,
  answer: Answer,
  req: Request,
  res: Response,
): void | Promise<void> => {
  const { outcome, rate, accountId, replayed } = answer;
  const { output, cache } = endpoint;
  const answered: Answered = { endpoint: endpoint.id, accountId, code: outcome.ok ? null : outcome.code };
  res.locals['answered'] = answered;
  if (rate) rateHeaders(res, rate);
  if (vary !== '') res.setHeader('Vary', vary);
  if (replayed) res.setHeader('Idempotency-Replayed', 'true');
  if (!outcome.ok) return sendRefusal(res, outcome, rate);
  switch (output.kind) {
    case 'empty':
      res.writeHead(output.status).end();
      return;
    case 'binary':
      return sendDownload(req, res, outcome.value as Download);
    case 'redirect':
      res.setHeader('Cache-Control', NO_STORE);
      res.writeHead(output.status, { Location: outcome.value as string }).end();
      return;
    case 'css':
      return sendRevalidated(req, res, outcome.value as string, 'text/css; charset=utf-8', keptBy(endpoint, accountId));
    case 'xml': {
      const type = `${output.mediaType}; charset=utf-8`;
      return sendRevalidated(req, res, outcome.value as string, type, keptBy(endpoint, accountId));
    }
    case 'json': {
      if (cache !== undefined) {
        const type = 'application/json; charset=utf-8';
        return sendRevalidated(req, res, JSON.stringify(outcome.value), type, keptBy(endpoint, accountId));
      }
      res.setHeader('Cache-Control', NO_STORE);
      const joined =
        output.joinedBy !== undefined && (outcome.value as Record<string, unknown>)[output.joinedBy] === true;
      return sendJson(res, joined ? 200 : output.status, outcome.value);
    }
  }
};

/** What beside its address an answer depends on, for whoever keeps it. */
const variesBy = ({ access, localized, cache }: EndpointSpec): string =>
  [
    ...(localized ? ['Accept-Language'] : []),
    ...(access.credential !== 'none' && (localized || cache !== undefined) ? ['Authorization'] : []),
  ].join(', ');

/** Who may keep an answer: everybody what everybody gets, else the client alone, which asks each time. */
const keptBy = ({ cache }: EndpointSpec, accountId: number | null): string =>
  typeof cache === 'object' && accountId === null ? `public, max-age=${cache.publicSeconds}` : 'private, no-cache';

const sendDownload = async (req: Request, res: Response, file: Download): Promise<void> => {
  const { sha256, size, filename } = file;
  await sendObject(
    req,
    res,
    {
      info: { sha256, size, etag: `"${sha256}"` },
      filename,
      contentType: 'application/octet-stream',
      disposition: 'attachment',
      cacheControl: 'private, no-cache',
    },
    async (range) => {
      const stream = await file.open(range);
      return stream && { stream };
    },
  );
};
