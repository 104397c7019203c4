import { afterEach, describe, expect, it, vi } from 'vitest';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { type Page, type Query, StoreUnavailable, type Write } from '../../adapters/store/table.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { memoryEngines } from '../support/memory-engines.ts';
import {
  ACCOUNT,
  type Answer,
  aClient,
  anAuthorizationServer,
  consented,
  json,
  pkce,
  postForm,
  principalOf,
  REDIRECT,
  RESOURCE,
  refresh,
  signedIn,
  type TestServer,
} from './support.ts';

const DAY_MS = 86_400_000;

afterEach(() => vi.useRealTimers());

const passing = (ms: number) => {
  if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.now() + ms);
};

const outcome = (answer: Answer) => [answer.status, json(answer).error];
const REFUSED = [400, 'invalid_grant'];

const appsOf = (server: TestServer) => server.service.get('connectedApps').of(ACCOUNT);

/** Fails the n-th transaction after `failAt` was set, like an unreachable store. */
class FaultyTable extends MemoryTable {
  failing: ((writes: readonly Write[]) => boolean) | undefined;
  /** Runs between the look-up of a grant's tokens and their removal. */
  afterQuery: (() => Promise<unknown>) | undefined;
  override async query(query: Query): Promise<Page> {
    const page = await super.query(query);
    if (query.pk.startsWith('OAUTHGRANT#')) await this.afterQuery?.();
    return page;
  }
  override async transact(writes: readonly Write[]): Promise<boolean> {
    if (this.failing?.(writes)) throw new StoreUnavailable('The store does not answer.');
    return super.transact(writes);
  }
}

describe('a refresh token', () => {
  it('a refresh token works again within its grace period', async () => {
    const server = await anAuthorizationServer();
    const { client_id, tokens } = await signedIn(server);
    const first = await refresh(server, client_id, tokens.refresh_token);
    passing(29_000);
    const second = await refresh(server, client_id, tokens.refresh_token);
    expect([first.status, second.status]).toEqual([200, 200]);
    for (const answer of [first, second]) {
      expect((await refresh(server, client_id, json(answer).refresh_token)).status).toBe(200);
    }
    expect(await appsOf(server)).toHaveLength(1);
  });

  it('a refresh token that is used after its grace period ends its whole family', async () => {
    const server = await anAuthorizationServer();
    const { client_id, tokens } = await signedIn(server);
    const first = json(await refresh(server, client_id, tokens.refresh_token));
    passing(30_000);
    expect(outcome(await refresh(server, client_id, tokens.refresh_token))).toEqual(REFUSED);
    expect(outcome(await refresh(server, client_id, first.refresh_token))).toEqual(REFUSED);
    expect(await principalOf(server, first.access_token)).toBeUndefined();
    expect(await principalOf(server, tokens.access_token)).toBeUndefined();
    expect(await appsOf(server)).toEqual([]);
  });

  it('a refresh token and its access token fail while the account is suspended, and work again afterwards', async () => {
    const server = await anAuthorizationServer();
    const { client_id, tokens } = await signedIn(server);
    const suspend = (suspended: boolean) =>
      server.service.get('suspendAccount')(grantPermit(), { account_id: ACCOUNT, suspended });
    const identified = () => server.service.get('authenticateToken')(tokens.access_token, RESOURCE);
    await suspend(true);
    expect(outcome(await refresh(server, client_id, tokens.refresh_token))).toEqual(REFUSED);
    expect(await identified()).toMatchObject({ ok: false, code: 'invalid_api_key' });
    await suspend(false);
    expect(await identified()).toMatchObject({ ok: true });
    expect((await refresh(server, client_id, tokens.refresh_token)).status).toBe(200);
  });

  it('the grace period begins with the first use, so using the token again does not prolong it', async () => {
    const server = await anAuthorizationServer();
    const { client_id, tokens } = await signedIn(server);
    await refresh(server, client_id, tokens.refresh_token);
    passing(20_000);
    expect((await refresh(server, client_id, tokens.refresh_token)).status).toBe(200);
    passing(20_000);
    expect(outcome(await refresh(server, client_id, tokens.refresh_token))).toEqual(REFUSED);
  });

  it('ten simultaneous refreshes succeed, and each of their tokens works', async () => {
    const server = await anAuthorizationServer();
    const { client_id, tokens } = await signedIn(server);
    passing(2 * DAY_MS);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => refresh(server, client_id, tokens.refresh_token)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const next = answers.map((answer) => json(answer));
    expect(new Set(next.map(({ refresh_token }) => refresh_token)).size).toBe(10);
    for (const { access_token } of next) expect(await principalOf(server, access_token)).toBeDefined();
    const again = await Promise.all(next.map(({ refresh_token }) => refresh(server, client_id, refresh_token)));
    expect(again.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await appsOf(server)).toHaveLength(1);
  });

  it('a refresh token is refused to another client, whose attempt ends nothing', async () => {
    const server = await anAuthorizationServer();
    const { client_id, tokens } = await signedIn(server);
    const other = await signedIn(server);
    expect(outcome(await refresh(server, other.client_id, tokens.refresh_token))).toEqual(REFUSED);
    expect((await refresh(server, client_id, tokens.refresh_token)).status).toBe(200);
  });

  it('a refresh returns fewer permissions on request, and never more', async () => {
    const server = await anAuthorizationServer();
    const { client_id, tokens } = await signedIn(server);
    const fewer = json(await refresh(server, client_id, tokens.refresh_token, { scope: 'mcp.read' }));
    expect(fewer.scope).toBe('mcp.read');
    const more = await refresh(server, client_id, fewer.refresh_token, { scope: 'mcp.read orders.read' });
    expect(outcome(more)).toEqual([400, 'invalid_scope']);
  });

  it('a refresh token expires after 30 idle days, and lasts for years while it is used', async () => {
    const server = await anAuthorizationServer();
    const { client_id, tokens } = await signedIn(server);
    let { refresh_token } = tokens;
    for (let month = 0; month < 24; month++) {
      passing(29 * DAY_MS);
      const answer = await refresh(server, client_id, refresh_token);
      expect(answer.status, `month ${month} ${answer.text}`).toBe(200);
      expect(json(answer).refresh_token).not.toBe(refresh_token);
      refresh_token = json(answer).refresh_token;
    }
    passing(30 * DAY_MS);
    expect(outcome(await refresh(server, client_id, refresh_token))).toEqual(REFUSED);
  });
});

describe('a store error in the authorization server', () => {
  const faultyServer = async () => {
    const table = new FaultyTable();
    const server = await anAuthorizationServer({ engines: { ...memoryEngines(), table } });
    return { table, server };
  };

  it('a store error during a refresh is 503 and uses nothing up, so the client can retry much later', async () => {
    const { table, server } = await faultyServer();
    const { client_id, tokens } = await signedIn(server);
    table.failing = () => true;
    const failed = await refresh(server, client_id, tokens.refresh_token);
    expect(outcome(failed)).toEqual([503, 'temporarily_unavailable']);
    expect(failed.headers.get('retry-after')).toBe('1');
    expect(server.faults).toHaveLength(1);
    table.failing = undefined;
    passing(DAY_MS);
    expect((await refresh(server, client_id, tokens.refresh_token)).status).toBe(200);
  });

  it('the new tokens and the use of the old one are written in one transaction', async () => {
    const { table, server } = await faultyServer();
    const { client_id, tokens } = await signedIn(server);
    const transactions: number[] = [];
    table.failing = (writes) => transactions.push(writes.length) < 0;
    const puts = vi.spyOn(table, 'put');
    await refresh(server, client_id, tokens.refresh_token);
    expect(transactions).toEqual([6]);
    expect(puts.mock.calls.filter(([{ pk }]) => pk.startsWith('OAUTH'))).toEqual([]);
  });

  it('a store error while a code is redeemed uses nothing up', async () => {
    const { table, server } = await faultyServer();
    const client_id = await aClient(server);
    const { verifier: code_verifier, challenge: code_challenge } = pkce();
    const url = await consented(server, client_id, { params: { code_challenge } });
    const code = url.searchParams.get('code') as string;
    const form = { grant_type: 'authorization_code', client_id, code, code_verifier, redirect_uri: REDIRECT };
    table.failing = (writes) =>
      writes.some((write) => 'put' in write && write.put.pk.startsWith('OAUTH#refresh_token'));
    expect(outcome(await postForm(server, '/oauth/token', form))).toEqual([503, 'temporarily_unavailable']);
    table.failing = undefined;
    expect((await postForm(server, '/oauth/token', form)).status).toBe(200);
  });

  it('a store error at the authorization request is a page with 503, without a redirect', async () => {
    const { table, server } = await faultyServer();
    vi.spyOn(table, 'get').mockRejectedValue(new StoreUnavailable('The store does not answer.'));
    const answer = await server.send(
      'https://account.example.com/oauth/authorize?client_id=x&redirect_uri=https://a.example/',
    );
    expect([answer.status, answer.headers.get('location')]).toEqual([503, null]);
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(answer.text).not.toContain('The store does not answer.');
  });
});

describe('an authorization code', () => {
  it('a code that is redeemed a second time ends the tokens of the first', async () => {
    const server = await anAuthorizationServer();
    const { client_id, tokens, redeem } = await signedIn(server);
    expect(outcome(await redeem())).toEqual(REFUSED);
    expect(await principalOf(server, tokens.access_token)).toBeUndefined();
    expect(outcome(await refresh(server, client_id, tokens.refresh_token))).toEqual(REFUSED);
  });

  it('a code ends after a minute', async () => {
    const server = await anAuthorizationServer();
    vi.useFakeTimers({ toFake: ['Date'] });
    const { redeem } = await signedIn(server);
    passing(61_000);
    expect(outcome(await redeem())).toEqual(REFUSED);
  });
});

describe('an access token', () => {
  it('an access token ends after an hour', async () => {
    const server = await anAuthorizationServer();
    const { tokens } = await signedIn(server);
    const authenticate = async () => {
      const token = await principalOf(server, tokens.access_token);
      return token !== undefined && token.expires_at > new Date().toISOString();
    };
    passing(3590_000);
    expect(await authenticate()).toBe(true);
    passing(11_000);
    expect(await authenticate()).toBe(false);
  });
});

describe('a connected app', () => {
  it('a connected app is listed by its account, and its last use is recorded once a day', async () => {
    const server = await anAuthorizationServer();
    passing(0);
    const { client_id, tokens } = await signedIn(server);
    const [app] = await appsOf(server);
    expect(app).toMatchObject({ client_id, client_name: 'Test client', redirect_host: 'client.example' });
    passing(DAY_MS / 2);
    const { refresh_token } = json(await refresh(server, client_id, tokens.refresh_token));
    expect((await appsOf(server))[0]?.last_used_at).toBe(app?.created_at);
    passing(DAY_MS / 2);
    await refresh(server, client_id, refresh_token);
    expect((await appsOf(server))[0]?.last_used_at).toBe(new Date().toISOString());
  });

  it('a connected app loses its access and refresh tokens at once when it is disconnected', async () => {
    const server = await anAuthorizationServer();
    const { client_id, tokens } = await signedIn(server);
    const other = await signedIn(server);
    const [, app] = await appsOf(server);
    const disconnect = (account: number) =>
      server.service.get('disconnectApp')(grantPermit(), account, app?.grant_id ?? '');
    expect((await disconnect(2)).ok).toBe(false);
    expect((await disconnect(ACCOUNT)).ok).toBe(true);
    const [gone, kept] = app?.client_id === client_id ? [{ client_id, tokens }, other] : [other, { client_id, tokens }];
    expect(await principalOf(server, gone.tokens.access_token)).toBeUndefined();
    expect(outcome(await refresh(server, gone.client_id, gone.tokens.refresh_token))).toEqual(REFUSED);
    expect(await principalOf(server, kept.tokens.access_token)).toBeDefined();
    expect((await disconnect(ACCOUNT)).ok).toBe(false);
  });

  it('a connected app gets nothing from a refresh during its disconnection', async () => {
    const table = new FaultyTable();
    const server = await anAuthorizationServer({ engines: { ...memoryEngines(), table } });
    const { client_id, tokens } = await signedIn(server);
    const [app] = await appsOf(server);
    let meanwhile: Answer | undefined;
    table.afterQuery = async () => {
      meanwhile = await refresh(server, client_id, tokens.refresh_token);
    };
    await server.service.get('disconnectApp')(grantPermit(), ACCOUNT, app?.grant_id ?? '');
    expect(meanwhile && outcome(meanwhile)).toEqual(REFUSED);
  });

  it('a connected app ends when the client revokes one of its own tokens (RFC 7009), and not when another client tries', async () => {
    const server = await anAuthorizationServer();
    const { client_id, tokens } = await signedIn(server);
    const other = await signedIn(server);
    const revoke = (id: string) =>
      server.send('https://account.example.com/oauth/revoke', {
        method: 'POST',
        body: new URLSearchParams({ client_id: id, token: tokens.refresh_token }),
      });
    expect((await revoke(other.client_id)).status).toBe(200);
    expect(await principalOf(server, tokens.access_token)).toBeDefined();
    expect((await revoke(client_id)).status).toBe(200);
    expect(await principalOf(server, tokens.access_token)).toBeUndefined();
    expect(await appsOf(server)).toHaveLength(1);
  });
});
