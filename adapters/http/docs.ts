import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import express, { Router } from 'express';
import { sendRevalidated, sendWrongMethod } from './reply.ts';

const UI_FOLDER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
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
<noscript>This reference needs JavaScript; the document itself is at <a href="openapi.json">openapi.json</a>.</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#reference', deepLinking: true, docExpansion: 'list', displayRequestDuration: true, tryItOutEnabled: true, defaultModelsExpandDepth: 0, validatorUrl: null });
`;

/** Only what this host serves itself may run or load, calls go to our hosts alone, and the page can't be framed. */
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

/**
 * The OpenAPI document, and a page to browse and try it with; everything the page needs comes from here. `hosts` are the
 * addresses that the document's operations are at.
 */
export const docsRouter = (document: object, hosts: readonly string[] = []): Router => {
  const contentPolicy = policy(hosts);
  const json = Buffer.from(JSON.stringify(document));
  const router = Router({ strict: true });
  router.get('/openapi.json', (req, res) => {
    res.setHeader('Access-Control-Allow-Origin', '*');
    sendRevalidated(req, res, json, 'application/json; charset=utf-8', KEPT);
  });
  router.get('/docs', (req, res) => {
    res.setHeader('Content-Security-Policy', contentPolicy);
    sendRevalidated(req, res, PAGE, 'text/html; charset=utf-8', KEPT);
  });
  router.get('/docs/', (_req, res) => res.redirect(308, '../docs'));
  router.get('/docs/start.js', (req, res) => sendRevalidated(req, res, START, 'text/javascript; charset=utf-8', KEPT));
  router.all(['/openapi.json', '/docs', '/docs/start.js'], (_req, res) => sendWrongMethod(res, ['GET', 'HEAD']));
  const files = express.static(UI_FOLDER, { index: false, maxAge: '1d' });
  router.use('/docs', (req, res, next) => (UI_FILES.test(req.path) ? files(req, res, next) : next()));
  return router;
};
