import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import express, { Router } from 'express';
import type { AddressCounter } from '../../application/access/limit-address.ts';
import { type Reply, revalidatedReply, wholeReply, wrongMethodReply } from '../host/reply.ts';
import type { HostHeaders } from '../host/request.ts';
import { sendReply } from '../http/carry.ts';

/** The folder of Swagger UI's files. Undefined where its package is not installed: then the page says so. */
const uiFolder = (): string | undefined => {
  try {
    return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  } catch {
    return undefined;
  }
};

const NOT_INSTALLED = 'This page needs a package that is not installed: npm install swagger-ui-dist\n';

const UI_FILES = /^\/(?:swagger-ui\.css|swagger-ui-bundle\.js|favicon-(?:16x16|32x32)\.png)$/;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Account API reference</title>
<link rel="icon" type="image/png" href="docs/favicon-32x32.png" sizes="32x32">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<noscript>This reference needs JavaScript; the document itself is at <a href="docs/openapi.json">openapi.json</a>.</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

// Swagger UI's dark colours belong to a class of the document, which follows the person's system.
const START = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
follow();
dark.addEventListener('change', follow);
SwaggerUIBundle({ url: 'docs/openapi.json', dom_id: '#reference', deepLinking: true, docExpansion: 'list', displayRequestDuration: true, tryItOutEnabled: true, defaultModelsExpandDepth: 0, validatorUrl: null });
`;

/**
 * The page's Content-Security-Policy. The page loads scripts, styles and images from this host only, calls our hosts
 * only, and can't be framed.
 */
const policy = (hosts: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src ${["'self'", ...new Set(hosts.map((url) => new URL(url).origin))].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const KEPT = 'public, no-cache';

/** The parts that the page loads count as files; the page and the documents count with the calls. */
export const referenceCounter = (path: string): AddressCounter =>
  path.startsWith('/docs/') && path !== '/docs/openapi.json' ? 'files' : 'calls';

type Served = { readonly body: string; readonly type: string; readonly headers?: Reply['headers'] };

const serve = (router: Router, path: string, { body, type, headers = {} }: Served): void => {
  router.get(path, (req, res) => {
    const reply = revalidatedReply({ headers: req.headers as HostHeaders }, body, `${type}; charset=utf-8`, KEPT);
    return sendReply(res, { ...reply, headers: { ...headers, ...reply.headers } });
  });
  router.all(path, (_req, res) => sendReply(res, wrongMethodReply(['GET', 'HEAD'])));
};

const asJson = (document: object): Served => ({
  body: JSON.stringify(document),
  type: 'application/json',
  headers: { 'access-control-allow-origin': '*' },
});

/** Serves a host's own OpenAPI document at `/openapi.json`. */
export const documentRouter = (document: object): Router => {
  const router = Router({ strict: true });
  serve(router, '/openapi.json', asJson(document));
  return router;
};

/**
 * Serves the OpenAPI document of all hosts, and a page to browse and try it. The page loads nothing from other hosts.
 * `hosts` are the addresses that the document's operations call.
 */
export const referenceRouter = (document: object, hosts: readonly string[] = []): Router => {
  const router = Router({ strict: true });
  // The links of the page are relative to its path without a slash, whatever path the host's address has.
  router.get('/docs', (req, res, next) =>
    /\/docs\/(?:\?|$)/.test(req.originalUrl) ? res.redirect(308, '../docs') : next(),
  );
  serve(router, '/docs/openapi.json', asJson(document));
  const folder = uiFolder();
  if (folder === undefined) {
    router.get('/docs', (_req, res) => sendReply(res, wholeReply(501, 'text/plain; charset=utf-8', NOT_INSTALLED)));
    return router;
  }
  const headers = { 'content-security-policy': policy(hosts) };
  serve(router, '/docs', { body: PAGE, type: 'text/html', headers });
  serve(router, '/docs/start.js', { body: START, type: 'text/javascript' });
  const files = express.static(folder, { index: false, maxAge: '1d' });
  router.use('/docs', (req, res, next) => (UI_FILES.test(req.path) ? files(req, res, next) : next()));
  return router;
};
