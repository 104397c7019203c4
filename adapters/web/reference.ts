import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Host } from '../../ports/inbound/hosts.ts';
import type { HostRoute } from '../host/host.ts';
import { late } from '../host/late.ts';
import { type Reply, revalidatedReply, wholeReply } from '../host/reply.ts';

/** The hosts that have endpoints, and so a document of their own. */
export const DOCUMENTED = ['api', 'design', 'app', 'shop'] as const satisfies readonly Host[];

export type DocumentedHost = (typeof DOCUMENTED)[number];

/** The folder of Swagger UI's files. Undefined where its package is not installed: then the page says so. */
const uiFolder = (): string | undefined => {
  try {
    return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  } catch {
    return undefined;
  }
};

const NOT_INSTALLED = 'This page needs a package that is not installed: npm install swagger-ui-dist\n';

/** The files of Swagger UI that the page loads, with their types. */
const UI_FILES = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-16x16.png': 'image/png',
  'favicon-32x32.png': 'image/png',
};

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
const KEPT_A_DAY = 'public, max-age=86400';

type StaticAnswer = {
  readonly body: () => Promise<string | Uint8Array>;
  readonly type: string;
  readonly headers?: Reply['headers'];
  readonly kept?: string;
};

const route = (path: string, { body, type, headers = {}, kept = KEPT }: StaticAnswer): HostRoute => ({
  method: 'GET',
  path,
  entry: async (request) => {
    const reply = revalidatedReply(request, await body(), type, kept);
    return { ...reply, headers: { ...headers, ...reply.headers } };
  },
});

/** A route of a part that the page loads: such requests count as files, because one page loads several. */
const partRoute = (path: string, served: StaticAnswer): HostRoute => ({ ...route(path, served), counts: 'files' });

const documentRoute = (path: string, document: () => Promise<object>): HostRoute =>
  route(path, {
    body: late(async () => JSON.stringify(await document())),
    type: 'application/json; charset=utf-8',
    headers: { 'access-control-allow-origin': '*' },
  });

/** The links of the page are relative to its path without a slash, whatever path the host's address has. */
const withoutSlash = ({ entry, ...page }: HostRoute): HostRoute => ({
  ...page,
  entry: (request, ...rest) =>
    request.path.endsWith('/')
      ? { status: 308, headers: { location: '../docs', 'content-length': '0' }, body: null }
      : entry(request, ...rest),
});

const pageRoutes = (urls: Readonly<Record<Host, string>>): HostRoute[] => {
  const folder = uiFolder();
  if (folder === undefined) {
    const refused = wholeReply(501, 'text/plain; charset=utf-8', NOT_INSTALLED);
    return [{ method: 'GET', path: '/docs', entry: () => refused }];
  }
  const headers = { 'content-security-policy': policy(Object.values(urls)) };
  return [
    withoutSlash(route('/docs', { body: async () => PAGE, type: 'text/html; charset=utf-8', headers })),
    partRoute('/docs/start.js', { body: async () => START, type: 'text/javascript; charset=utf-8' }),
    ...Object.entries(UI_FILES).map(([name, type]) =>
      partRoute(`/docs/${name}`, { body: () => readFile(join(folder, name)), type, kept: KEPT_A_DAY }),
    ),
  ];
};

/**
 * The routes of the reference: each host's OpenAPI document at `/openapi.json`, and on the API host the document of all
 * hosts and a page to browse and try it. The page loads nothing from other hosts. `documentOf` makes the document of a
 * host, or of all without one, with the first request for it.
 */
export const referenceRoutes = (
  host: DocumentedHost,
  urls: Readonly<Record<Host, string>>,
  documentOf: (host?: DocumentedHost) => Promise<object>,
): HostRoute[] => {
  const own = documentRoute('/openapi.json', () => documentOf(host));
  return host === 'api' ? [own, documentRoute('/docs/openapi.json', () => documentOf()), ...pageRoutes(urls)] : [own];
};
