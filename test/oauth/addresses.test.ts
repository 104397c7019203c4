import { describe, expect, it } from 'vitest';
import { appErrorPages } from '../../adapters/web/account/account-pages.ts';
import type { Catalog } from '../../domain/catalog/catalog.ts';
import { aCatalog } from '../support/builders.ts';
import { aClient, anAuthorizationServer, ask, authorizeUrl, ISSUER, json, pkce, REDIRECT } from './support.ts';

const { challenge: code_challenge } = pkce();

describe('the redirect of OAuth', () => {
  it('a redirect never goes to an unregistered address, whatever else is wrong', async () => {
    const elsewhere = ['https://evil.example/', `${REDIRECT}/../x`, `${REDIRECT}?x=1`, 'javascript:alert(1)'];
    for (const redirect_uri of elsewhere) {
      for (const wrong of [{}, { code_challenge: undefined }, { resource: 'nonsense' }, { scope: 'nonsense' }]) {
        const { answer, location } = await ask({ redirect_uri, ...wrong });
        expect([answer.status, location]).toEqual([400, null]);
        expect(answer.headers.get('content-type')).toContain('text/html');
      }
    }
  });

  it('a redirect never goes anywhere for an unknown client', async () => {
    const { answer, location } = await ask({ client_id: 'unknown' });
    expect([answer.status, location]).toEqual([400, null]);
  });

  it('a redirect can use any port of this machine (RFC 8252), but no other host or path', async () => {
    const server = await anAuthorizationServer();
    const client_id = await aClient(server, { redirect_uris: ['http://127.0.0.1/cb', 'http://localhost:1234/cb'] });
    const open = (redirect_uri: string) => server.send(authorizeUrl({ client_id, code_challenge, redirect_uri }));
    expect((await open('http://127.0.0.1:50505/cb')).status).toBe(303);
    expect((await open('http://localhost:50505/cb')).status).toBe(303);
    expect((await open('http://127.0.0.1:50505/other')).status).toBe(400);
    expect((await open('http://192.168.0.1:1234/cb')).status).toBe(400);
  });

  it('a redirect has the response only in its query, so none of our pages posts a form elsewhere', async () => {
    for (const response_mode of ['form_post', 'fragment']) {
      const { answer, location } = await ask({ response_mode });
      expect([answer.status, location]).toEqual([400, null]);
    }
  });
});

describe('an error page', () => {
  it('an error page is small, escaped, in the reader’s language, and can’t be framed', async () => {
    const server = await anAuthorizationServer();
    const headers = { 'accept-language': 'ko-KR,ko;q=0.9,en;q=0.8' };
    const answer = await server.send(authorizeUrl({ client_id: '<script>' }), { headers });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('<html lang="ko">');
    expect(answer.text).not.toContain('<script>');
    expect(answer.text).not.toContain('    at ');
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});

it('an error page escapes every text, and shows the storefront once the store answers', async () => {
  const logo_url = 'https://cdn.example/logo.svg';
  const storefront = { product_url: null, product_detail_url: null, name: 'Quiet Desk', logo_url };
  let current = (): Promise<Catalog> => Promise.reject(new Error('The store is out of order.'));
  const render = appErrorPages({ current: () => current() });
  const told = { error: '<b>', error_description: `"><script>alert('x')</script>&`, language: 'en' } as const;
  const plain = await render(told);
  expect(plain.html).not.toMatch(/<b>|<script>|alert\('/);
  current = async () => aCatalog({ storefront });
  expect([plain.pictures, (await render(told)).pictures]).toEqual(['', ` ${logo_url}`]);
  expect((await render(told)).html).toContain(`<img src="${logo_url}"`);
});

describe('the address of the authorization server', () => {
  it('the server’s address is always the configured one, whatever the Host and X-Forwarded headers say', async () => {
    const server = await anAuthorizationServer();
    const client_id = await aClient(server);
    const headers = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      'x-forwarded-for': '10.0.0.1',
      forwarded: 'host=evil.example;proto=http',
    };
    const started = await server.send(authorizeUrl({ client_id, code_challenge }), { headers });
    expect(started.headers.get('location')).toMatch(/^https:\/\/account\.example\.com\/interaction\//);
    const cookies = started.headers.getSetCookie();
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) expect(cookie).toMatch(/^__Secure-oauth-.*; secure; httponly/i);
    const metadata = await server.send(`${ISSUER}/.well-known/oauth-authorization-server`, { headers });
    expect(json(metadata).issuer).toBe(ISSUER);
    const body = JSON.stringify({ redirect_uris: [REDIRECT] });
    const registered = await server.send(`${ISSUER}/oauth/register`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    expect(json(registered).registration_client_uri).toMatch(/^https:\/\/account\.example\.com\/oauth\/register\//);
  });

  it('the account host answers every other path', async () => {
    const server = await anAuthorizationServer();
    for (const path of [
      '/.well-known/openid-configuration',
      '/oauth/jwks',
      '/oauth/session/end/confirm',
      '/OAUTH/TOKEN',
      '/',
    ]) {
      expect((await server.send(`${ISSUER}${path}`)).status).toBe(404);
      expect((await server.send(`${ISSUER}${path}`, { method: 'POST' })).status).toBe(404);
    }
  });

  it('scripts of every origin can request tokens, and none can read a page with cookies', async () => {
    const server = await anAuthorizationServer();
    const headers = { origin: 'http://localhost:6274' };
    const body = new URLSearchParams({ grant_type: 'refresh_token', client_id: 'x', refresh_token: 'y' });
    const token = await server.send(`${ISSUER}/oauth/token`, { method: 'POST', headers, body });
    expect([token.status, token.headers.get('access-control-allow-origin')]).toEqual([401, '*']);
    const page = await server.send(authorizeUrl({ client_id: 'x' }), { headers });
    expect(page.headers.has('access-control-allow-origin')).toBe(false);
  });

  it('a wrong method is 405', async () => {
    const server = await anAuthorizationServer();
    expect((await server.send(`${ISSUER}/oauth/token`)).status).toBe(405);
    expect((await server.send(`${ISSUER}/oauth/authorize`, { method: 'POST' })).status).toBe(405);
  });
});
