import { hash } from 'node:crypto';
import { html } from 'hono/html';
import type { Html } from './shared/pieces.ts';

type Root = { readonly title: string; readonly text: string; readonly ways: Readonly<Record<string, string>> };

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

/** The content security policy of the page. */
export const ROOT_POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The page at the root of a host: its title, its purpose, and the links `ways`, each by its name. */
export const rootPage = ({ title, text, ways }: Root): string => {
  const page: Html = html`<!doctype html>
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
  return String(page);
};
