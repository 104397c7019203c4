import { hash } from 'node:crypto';
import { html } from 'hono/html';
import { HOST_TITLES, type Host } from '../../ports/inbound/hosts.ts';
import type { HostRoute } from '../host/host.ts';
import { type Reply, revalidatedReply } from '../host/reply.ts';
import { type HostRequest, prefersJson } from '../host/request.ts';
import type { Html } from './shared/pieces.ts';

type Face = {
  readonly text: string;
  /** Where to go on the host, by path, and its pages on other hosts, by address. */
  readonly ways: Readonly<Record<string, string>>;
};

/** The address of the host, and of those that its root leads to. */
type Addresses<H extends Host> = Readonly<Record<H | 'api' | 'account', string>>;

const facesOf = ({ api, account }: Addresses<never>): Readonly<Record<Host, Face>> => {
  const reference = `${api}/docs`;
  const openapi = '/openapi.json';
  return {
    api: {
      text: 'Products, licenses, devices and orders of a shop’s buyers. Send an account API key with each call.',
      ways: { reference, openapi, mcp: '/api/mcp', keys: `${account}/keys`, account: `${account}/` },
    },
    app: {
      text: 'Update feeds and downloads for the shop’s applications, which read them by themselves.',
      ways: { reference, openapi, account: `${account}/` },
    },
    design: {
      text: 'Screens, flows and design documents for agents and the people who work with them.',
      ways: { reference, openapi, mcp: '/mcp', skill: '/skill/SKILL.md' },
    },
    account: {
      text: 'Buyers sign in here and manage what they own. Applications sign them in by OAuth 2.1.',
      ways: { sign_in: '/sign-in', oauth: '/.well-known/oauth-authorization-server', reference },
    },
    shop: {
      text: 'For the shop’s own systems. Send a token with the role that a call needs.',
      ways: { reference, openapi, mcp: '/api/shop/mcp' },
    },
  };
};

const WORDS: Readonly<Record<string, string>> = {
  reference: 'API reference',
  openapi: 'OpenAPI document',
  mcp: 'MCP endpoint for agents',
  keys: 'Create an API key',
  account: 'Sign in to your account',
  skill: 'Skill for agents',
};

const STYLE = `:root{color-scheme:light dark}body{background:light-dark(#fff,#131418);color:light-dark(#17191e,#eceef2);margin:0 auto;max-width:34rem;padding:2.5rem 1.25rem;font:1rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.75rem;line-height:1.25;margin:0}li{padding:.375rem 0}a{color:light-dark(#1d4ed8,#93c5fd);text-underline-offset:.2em}:focus-visible{outline:3px solid;outline-offset:2px}`;

const POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const pageOf = ({ title, text, ways }: Face & { readonly title: string }): Html => html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${STYLE}</style>
<main>
<h1>${title}</h1>
<p>${text}</p>
<ul>${Object.entries(ways).map(([name, href]) => html`<li><a href="${href}">${WORDS[name] ?? name}</a></li>`)}</ul>
</main>
`;

/**
 * The answer at the root of a host to a caller without a path: the purpose of the host, and links. A browser gets a
 * page, and every other client JSON.
 */
export const rootReply = <H extends Host>(
  host: H,
  urls: Addresses<NoInfer<H>>,
  request: Pick<HostRequest, 'headers'>,
): Reply => {
  const { text, ways } = facesOf(urls)[host];
  const absolute = Object.entries(ways).map(([name, way]) => [name, way.startsWith('/') ? urls[host] + way : way]);
  const face = { title: HOST_TITLES[host], text, ways: Object.fromEntries(absolute) };
  const isJson = prefersJson(request.headers['accept'], true);
  const reply = isJson
    ? revalidatedReply(
        request,
        JSON.stringify({ host, ...face }),
        'application/json; charset=utf-8',
        'public, no-cache',
      )
    : revalidatedReply(request, String(pageOf(face)), 'text/html; charset=utf-8', 'public, no-cache');
  return { ...reply, headers: { ...reply.headers, vary: 'Accept', 'content-security-policy': POLICY } };
};

/** The route at the root of a host that has no pages. */
export const rootRoute = (host: Exclude<Host, 'account'>, urls: Readonly<Record<Host, string>>): HostRoute => ({
  method: 'GET',
  path: '/',
  entry: (request) => rootReply(host, urls, request),
});
