import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  aClient,
  anAuthorizationServer,
  ask,
  consented,
  ISSUER,
  json,
  pkce,
  postForm,
  principalOf,
  REDIRECT,
  RESOURCE,
  refresh,
  signedIn,
} from './support.ts';

const { verifier, challenge: code_challenge } = pkce();

const LET_IN = { isLetIn: true };

describe('a truncated request body', () => {
  it.each([
    '/oauth/token',
    '/oauth/device_authorization',
    '/oauth/revoke',
    '/oauth/register',
  ])('a truncated body causes no server error at %s', async (path) => {
    const ended: boolean[] = [];
    const server = await anAuthorizationServer({
      mount: (listener) => (req, res) => {
        res.once('close', () => ended.push(req.complete));
        listener(req, res);
      },
    });
    const { host, port } = new URL(server.local(ISSUER));
    const socket = connect(Number(port), '127.0.0.1');
    const type = path.endsWith('register') ? 'application/json' : 'application/x-www-form-urlencoded';
    socket.write(`POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: ${type}\r\ncontent-length: 100\r\n\r\nabc`);
    await setTimeout(100);
    socket.destroy();
    await expect.poll(() => ended).toEqual([false]);
    await setTimeout(100);
    expect(server.faults).toEqual([]);
  });
});

describe('an error of an unapproved client', () => {
  it.each([
    [{ prompt: 'none' }, 'consent_required'],
    [{ resource: 'https://elsewhere.example/' }, 'invalid_target'],
    [{ scope: 'nonsense' }, 'invalid_scope'],
    [{ code_challenge: undefined }, 'invalid_request'],
  ])('an error of an unapproved client is a page, so nobody can redirect people elsewhere: %j', async (params, error) => {
    const { answer } = await ask(params);
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(answer.text).toContain(error);
    expect(answer.text).not.toContain(REDIRECT);
    const { location } = await ask(params, LET_IN);
    expect(location?.searchParams.get('error')).toBe(error);
  });
});

describe('PKCE', () => {
  it('PKCE is required', async () => {
    const { location } = await ask({ code_challenge: undefined, code_challenge_method: undefined }, LET_IN);
    expect(location?.searchParams.get('error')).toBe('invalid_request');
    expect(location?.searchParams.get('error_description')).toContain('PKCE');
  });

  it('PKCE with the plain method is refused, named or by default', async () => {
    for (const code_challenge_method of ['plain', undefined]) {
      const { location } = await ask({ code_challenge: verifier, code_challenge_method }, LET_IN);
      expect(location?.searchParams.get('error')).toBe('invalid_request');
    }
  });

  it('PKCE with a wrong or missing verifier is refused', async () => {
    const server = await anAuthorizationServer();
    const client_id = await aClient(server);
    for (const code_verifier of [pkce().verifier, '']) {
      const url = await consented(server, client_id, { params: { code_challenge } });
      const form = { grant_type: 'authorization_code', client_id, redirect_uri: REDIRECT, code_verifier };
      const answer = await postForm(server, '/oauth/token', { ...form, code: url.searchParams.get('code') as string });
      expect([answer.status, json(answer).error]).toEqual([400, 'invalid_grant']);
    }
  });
});

describe('the resource (RFC 8707)', () => {
  it('another resource is refused at the authorization request', async () => {
    for (const resource of ['https://elsewhere.example/api/mcp', `${RESOURCE}/x`, 'nonsense']) {
      const { location } = await ask({ resource }, LET_IN);
      expect(location?.searchParams.get('error')).toBe('invalid_target');
    }
  });

  it('another resource is refused at the token request, alone or beside the right one', async () => {
    const server = await anAuthorizationServer();
    const client_id = await aClient(server);
    for (const resources of [['https://elsewhere.example/'], [RESOURCE, 'https://elsewhere.example/']]) {
      const url = await consented(server, client_id, { params: { code_challenge } });
      const form = new URLSearchParams({ grant_type: 'authorization_code', client_id, redirect_uri: REDIRECT });
      form.set('code', url.searchParams.get('code') as string);
      form.set('code_verifier', verifier);
      for (const resource of resources) form.append('resource', resource);
      const answer = await server.send(`${ISSUER}/oauth/token`, { method: 'POST', body: form });
      expect([answer.status, json(answer).error]).toEqual([400, 'invalid_target']);
    }
  });

  it('another resource is refused at the refresh, which uses nothing up', async () => {
    const server = await anAuthorizationServer();
    const { client_id, tokens } = await signedIn(server);
    const wrong = await refresh(server, client_id, tokens.refresh_token, { resource: 'https://elsewhere.example/' });
    expect([wrong.status, json(wrong).error]).toEqual([400, 'invalid_target']);
    expect((await refresh(server, client_id, tokens.refresh_token, { resource: RESOURCE })).status).toBe(200);
  });

  it('the resource can be named at each step', async () => {
    const server = await anAuthorizationServer();
    const { tokens } = await signedIn(server, { params: { resource: RESOURCE } });
    expect(await principalOf(server, tokens.access_token)).toMatchObject({ resource: RESOURCE });
  });
});
