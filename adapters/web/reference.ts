import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Host } from '../../ports/inbound/hosts.ts';
import type { HostRoute } from '../host/host.ts';
import { type Reply, revalidatedReply, wholeReply } from '../host/reply.ts';
import { lazy } from '../system/loading.ts';

/** The hosts that have endpoints, and so an OpenAPI document of their own. */
export const DOCUMENTED = ['api', 'design', 'app', 'shop'] as const satisfies readonly Host[];

export type DocumentedHost = (typeof DOCUMENTED)[number];

const NOT_INSTALLED = 'This page needs a package that is not installed: npm install @scalar/fastify-api-reference\n';

type Served = { readonly url: string; readonly handler: (request: object, reply: object) => unknown };

/**
 * The gzipped script of Scalar's page; undefined if its package is not installed. Scalar's plugin for Fastify is its
 * only package that contains the script without 260 packages of parts. The plugin registers routes with Fastify; one of
 * them serves the script. Every browser that can run the page accepts gzip.
 */
const script = lazy(async () => {
  const { default: plugin } = await import('@scalar/fastify-api-reference').catch((error) => {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return { default: undefined };
    throw error;
  });
  const routes: Served[] = [];
  await plugin?.({ route: (one: Served) => routes.push(one) }, { configuration: { url: '.' } }, () => {});
  const reply = { header: () => reply, send: (body: unknown) => body };
  const found = routes.find(({ url }) => url.endsWith('.js'));
  return found && promisify(gzip)(String(found.handler({}, reply)));
});

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Account API reference</title>
<link rel="icon" type="image/svg+xml" href="docs/icon.svg">
<div id="reference"></div>
<noscript>This reference needs JavaScript; the document itself is at <a href="docs/openapi.json">openapi.json</a>.</noscript>
<script src="docs/scalar.js"></script>
<script src="docs/start.js"></script>
`;

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#2563eb"/><path d="m6 4-4 4 4 4M10 4l4 4-4 4" fill="none" stroke="#fff" stroke-width="1.6"/></svg>\n`;

// Each operation shows the ability or role that its caller needs. The page never contacts Scalar's services.
const START = `const allowed = ({ credential, ability, keyAbility, role }) =>
  ability ?? keyAbility ?? role ?? { key: 'any key', agent: 'any token', gallery: 'gallery session', none: 'no key' }[credential];
const hidden = 'c clojure csharp dart fsharp http java julia kotlin objc ocaml php powershell r ruby swift'.split(' ');
const hiddenClients = Object.fromEntries(hidden.map((name) => [name, true]));
const quiet = { telemetry: false, withDefaultFonts: false, agent: { disabled: true }, mcp: { disabled: true } };
const begin = async () => {
  const content = await (await fetch('docs/openapi.json')).json();
  for (const operation of Object.values(content.paths).flatMap(Object.values))
    operation['x-badges'] = [{ name: allowed(operation['x-access']) }];
  const looks = { hiddenClients, hideClientButton: true, showDeveloperTools: 'never' };
  const authentication = { preferredSecurityScheme: 'apiKey' };
  Scalar.createApiReference('#reference', { content, authentication, ...quiet, ...looks });
};
// Scalar's copy buttons have no name for people who can't see their icon.
const nameButtons = () => {
  for (const one of document.querySelectorAll('.scalar-code-copy:not([aria-label])')) one.setAttribute('aria-label', 'Copy');
};
new MutationObserver(nameButtons).observe(document.body, { childList: true, subtree: true });
begin();
`;

/**
 * The page's Content-Security-Policy. The page loads scripts and images from this host only, calls our hosts only, and
 * can't be framed. Scalar's script injects styles of several libraries, so no nonce or hash covers them.
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

const JAVASCRIPT = 'text/javascript; charset=utf-8';
const REVALIDATED = 'public, no-cache';
const CACHED_A_DAY = 'public, max-age=86400';

type StaticAnswer = {
  readonly body: () => Promise<string | Uint8Array>;
  readonly type: string;
  readonly headers?: Reply['headers'];
  readonly cacheControl?: string;
};

const route = (path: string, { body, type, headers = {}, cacheControl = REVALIDATED }: StaticAnswer): HostRoute => ({
  method: 'GET',
  path,
  entry: async (request) => {
    const reply = revalidatedReply(request, await body(), type, cacheControl);
    return { ...reply, headers: { ...headers, ...reply.headers } };
  },
});

/** A route of a file that the page loads: such requests count as files, because one page loads several. */
const partRoute = (path: string, served: StaticAnswer): HostRoute => ({ ...route(path, served), counts: 'bulk' });

const documentRoute = (path: string, document: () => Promise<object>): HostRoute =>
  route(path, {
    body: lazy(async () => JSON.stringify(await document())),
    type: 'application/json; charset=utf-8',
    headers: { 'access-control-allow-origin': '*' },
  });

/** The links of the page are relative to its path without a trailing slash, whatever the path of the host's URL. */
const withoutSlash = ({ entry, ...page }: HostRoute): HostRoute => ({
  ...page,
  entry: (request, ...rest) =>
    request.path.endsWith('/')
      ? { status: 308, headers: { location: '../docs', 'content-length': '0' }, body: null }
      : entry(request, ...rest),
});

const pageRoutes = (urls: Readonly<Record<Host, string>>): HostRoute[] => {
  const headers = { 'content-security-policy': policy(Object.values(urls)) };
  const page = withoutSlash(route('/docs', { body: async () => PAGE, type: 'text/html; charset=utf-8', headers }));
  const refused = wholeReply(501, 'text/plain; charset=utf-8', NOT_INSTALLED);
  return [
    { ...page, entry: async (...args) => ((await script()) ? page.entry(...args) : refused) },
    partRoute('/docs/start.js', { body: async () => START, type: JAVASCRIPT }),
    partRoute('/docs/icon.svg', { body: async () => ICON, type: 'image/svg+xml' }),
    partRoute('/docs/scalar.js', {
      body: async () => (await script()) ?? '',
      type: JAVASCRIPT,
      headers: { 'content-encoding': 'gzip' },
      cacheControl: CACHED_A_DAY,
    }),
  ];
};

/**
 * The routes of the reference: each host's OpenAPI document at `/openapi.json`, and on the API host the document of all
 * hosts and a page to browse and try it. The page loads nothing from other hosts. `documentOf` creates the document of
 * a host, or of all hosts, at the first request for it.
 */
export const referenceRoutes = (
  host: DocumentedHost,
  urls: Readonly<Record<Host, string>>,
  documentOf: (host?: DocumentedHost) => Promise<object>,
): HostRoute[] => {
  const own = documentRoute('/openapi.json', () => documentOf(host));
  return host === 'api' ? [own, documentRoute('/docs/openapi.json', () => documentOf()), ...pageRoutes(urls)] : [own];
};
