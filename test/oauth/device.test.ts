import { once } from 'node:events';
import { connect } from 'node:net';
import * as client from 'openid-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DEVICE_KEY_ABILITIES } from '../../domain/access/abilities.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { EVERY_ENTRY } from '../support/audited.ts';
import { aProduct } from '../support/builders.ts';
import { put } from '../support/contents.ts';
import { ACCOUNT, anAuthorizationServer, ISSUER, json, postForm, type TestServer } from './support.ts';

afterEach(() => vi.useRealTimers());

const passing = (ms: number) => {
  if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.now() + ms);
};

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

const begin = async (server: TestServer, form: Record<string, string> = {}) =>
  postForm(server, '/oauth/device_authorization', { client_id: 'cli', ...form });

const decide = async ({ service }: TestServer, user_code: string, decision: 'approve' | 'deny') => {
  const input = { account_id: ACCOUNT, address: '203.0.113.9', user_code, decision, device_name: 'Laptop' };
  const decided = await service.get('decideDeviceSignIn')(grantPermit(), input);
  if (!decided.ok) throw new Error(decided.code);
};

const poll = (server: TestServer, device_code: string, client_id = 'cli') =>
  postForm(server, '/oauth/token', { grant_type: GRANT, client_id, device_code });

describe('the sign-in of a device by OAuth', () => {
  it('a device signs in with openid-client: discovery, codes, polling, and a device key', async () => {
    const server = await anAuthorizationServer();
    const config = await client.discovery(new URL(ISSUER), 'cli', undefined, client.None(), {
      algorithm: 'oauth2',
      [client.customFetch]: (url, options) => fetch(server.local(url), options as RequestInit),
    });
    const codes = await client.initiateDeviceAuthorization(config, {
      device_id: '맥북-1'.normalize('NFD'),
      device_name: 'Laptop',
    });
    expect(codes.verification_uri).toBe(`${ISSUER}/device`);
    expect(codes.verification_uri_complete).toBe(`${ISSUER}/device?user_code=${codes.user_code}`);
    expect([codes.expires_in, codes.interval]).toEqual([900, 5]);
    await decide(server, codes.user_code, 'approve');
    const answer = await client.pollDeviceAuthorizationGrant(config, { ...codes, interval: 0 });
    expect(answer.access_token).toMatch(/^svc_/);
    expect(answer).toMatchObject({
      token_type: 'bearer',
      scope: DEVICE_KEY_ABILITIES.join(' '),
      device_id: '맥북-1',
      key_prefix: answer.access_token.slice(0, 14),
    });
    const key = await server.service.get('authenticate')(answer.access_token);
    expect(key).toMatchObject({ ok: true, value: { account_id: ACCOUNT } });
    const filter = { ...EVERY_ENTRY, account_id: ACCOUNT, action: 'key' };
    expect(await Array.fromAsync(server.service.get('auditLog').list(filter))).toMatchObject([
      { action: 'key.created', by: { kind: 'client', id: 'cli', through: 'device sign-in', from: '203.0.113.9' } },
    ]);
  });

  it('a device signs in under its application’s bundle id and learns which key was replaced', async () => {
    const server = await anAuthorizationServer();
    const client_id = 'com.example.memo';
    expect(json(await begin(server, { client_id }))).toMatchObject({ error: 'invalid_client' });
    expect(json(await poll(server, 'x', client_id))).toMatchObject({ error: 'invalid_client' });
    await put(server.service, { products: [aProduct({ bundle_id: client_id })] });
    const prefixes = [];
    for (let n = 0; n < 4; n++) {
      const codes = json(await begin(server, { client_id }));
      await decide(server, codes.user_code, 'approve');
      const { key_prefix, replaced_key_prefix } = json(await poll(server, codes.device_code, client_id));
      prefixes.push([key_prefix, replaced_key_prefix]);
    }
    expect(prefixes.map(([, replaced]) => replaced)).toEqual([undefined, undefined, undefined, prefixes[0]?.[0]]);
  });

  it('a device can revoke its own key (RFC 7009), and no other client can', async () => {
    const server = await anAuthorizationServer();
    const codes = json(await begin(server));
    await decide(server, codes.user_code, 'approve');
    const { access_token: token } = json(await poll(server, codes.device_code));
    const revokeBy = async (client_id: string) => {
      expect((await postForm(server, '/oauth/revoke', { client_id, token })).status).toBe(200);
      return (await server.service.get('authenticate')(token)).ok;
    };
    expect(await revokeBy('cloud-apps')).toBe(true);
    expect(await revokeBy('cli')).toBe(false);
    expect(await revokeBy('cli')).toBe(false);
    const filter = { ...EVERY_ENTRY, account_id: ACCOUNT, action: 'key.revoked' };
    expect(await Array.fromAsync(server.service.get('auditLog').list(filter))).toMatchObject([
      { by: { kind: 'key', through: 'token revocation', from: '203.0.113.9' } },
    ]);
  });

  it('a device gets the standard’s errors while it waits, polls too soon, is denied, or is too late', async () => {
    const server = await anAuthorizationServer();
    const errorOf = async (device_code: string, client_id?: string) => {
      const answer = await poll(server, device_code, client_id);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      return [answer.status, json(answer).error];
    };
    const one = json(await begin(server));
    expect(await errorOf(one.device_code)).toEqual([400, 'authorization_pending']);
    expect(await errorOf(one.device_code)).toEqual([400, 'slow_down']);
    expect(await errorOf(one.device_code, 'cloud-apps')).toEqual([400, 'expired_token']);
    await decide(server, one.user_code, 'deny');
    expect(await errorOf(one.device_code)).toEqual([400, 'access_denied']);
    expect(await errorOf('unknown')).toEqual([400, 'expired_token']);
    const late = json(await begin(server));
    passing(901_000);
    expect(await errorOf(late.device_code)).toEqual([400, 'expired_token']);
  });

  it('a device gets its key once', async () => {
    const server = await anAuthorizationServer();
    const { device_code, user_code } = json(await begin(server));
    await decide(server, user_code, 'approve');
    const answers = await Promise.all([poll(server, device_code), poll(server, device_code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('a device without a name gets one from its client, and keeps its scope whatever it requests', async () => {
    const server = await anAuthorizationServer();
    const { device_code, user_code } = json(await begin(server, { scope: 'orders.read' }));
    await decide(server, user_code, 'approve');
    const answer = json(await poll(server, device_code));
    expect(answer.device_id).toMatch(/^[\da-f-]{36}$/);
    expect(answer.scope).toBe(DEVICE_KEY_ABILITIES.join(' '));
  });
});

describe('the device authorization endpoint', () => {
  it.each([
    [{ client_id: '' }, 400, 'invalid_request'],
    [{ client_id: 'unknown' }, 401, 'invalid_client'],
    [{ device_id: 'x'.repeat(256) }, 400, 'invalid_request'],
    [{ device_id: 'a\nb' }, 400, 'invalid_request'],
    [{ device_name: 'x'.repeat(101) }, 400, 'invalid_request'],
    [{ scope: 'x'.repeat(5000) }, 400, 'invalid_request'],
  ])('the request %j is refused', async (form, status, error) => {
    const answer = await begin(await anAuthorizationServer(), form as Record<string, string>);
    expect([answer.status, json(answer).error]).toEqual([status, error]);
  });

  it('the connection of an oversized body is closed after the response', async () => {
    const server = await anAuthorizationServer();
    const { host, port, pathname } = new URL(server.local(`${ISSUER}/oauth/device_authorization`));
    const socket = connect(Number(port), '127.0.0.1');
    const closed = once(socket, 'close');
    socket.write(`POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 1000000\r\n`);
    socket.write(`content-type: application/x-www-form-urlencoded\r\n\r\n${'x'.repeat(5000)}`);
    let answer = '';
    socket.setEncoding('utf8').on('data', (text) => {
      answer += text;
    });
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.toLowerCase()).toContain('\r\nconnection: close\r\n');
    expect(answer).toContain('The body has to be a form of at most 4 KB.');
    expect(server.faults).toEqual([]);
  });

  it('a repeated parameter and a body that is not a form are refused', async () => {
    const server = await anAuthorizationServer();
    const url = `${ISSUER}/oauth/device_authorization`;
    const twice = new URLSearchParams('client_id=cli&client_id=cloud-apps');
    expect((await server.send(url, { method: 'POST', body: twice })).status).toBe(400);
    expect((await server.send(url, { method: 'POST', body: '{"client_id":"cli"}' })).status).toBe(400);
  });

  it.each([
    '%FF',
    '%ED%A0%80',
    '%C5',
  ])('the device id %s, which is not UTF-8, is refused, because all such ids would be the same', async (sent) => {
    const server = await anAuthorizationServer();
    const answer = await server.send(`${ISSUER}/oauth/device_authorization`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `client_id=cli&device_id=${sent}`,
    });
    expect([answer.status, json(answer)]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'The body has to be a form of UTF-8 text.' },
    ]);
  });

  it('a replacement character, a percent sign and a plus are accepted if they are meant', async () => {
    const server = await anAuthorizationServer();
    const answer = await server.send(`${ISSUER}/oauth/device_authorization`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'client_id=cli&device_id=%EF%BF%BD+100%+%F0%9F%98%80',
    });
    expect(answer.status).toBe(200);
  });

  it('a registered client can’t use device codes, and a device client no other grant', async () => {
    const server = await anAuthorizationServer();
    const authorize = await server.send(
      `${ISSUER}/oauth/authorize?client_id=cli&response_type=code&redirect_uri=https://a.example/`,
    );
    expect([authorize.status, authorize.headers.get('location')]).toEqual([400, null]);
    const answer = await postForm(server, '/oauth/token', {
      grant_type: 'refresh_token',
      client_id: 'cli',
      refresh_token: 'x',
    });
    expect([answer.status, json(answer).error]).toEqual([400, 'invalid_request']);
  });
});
