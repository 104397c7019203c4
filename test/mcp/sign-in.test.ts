import { beforeAll, describe, expect, test } from 'vitest';
import { ABILITIES, type Ability } from '../../domain/access/abilities.ts';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import { API } from '../support/memory-engines.ts';
import { aKey, anAccount } from '../surface/buyers.ts';
import { headers2026, INITIALIZE, message2025, message2026 } from '../surface/mcp-message.ts';
import { TOOL } from '../surface/shop.ts';
import { type McpHost, openMcp } from './in-process.ts';

const METADATA = `${API}/.well-known/oauth-protected-resource/api/mcp`;

const callOf = (name: string, args: object = {}) => message2025('tools/call', { name, arguments: args });

describe('the access token of a sign-in', () => {
  let mcp: McpHost;
  let account_id: number;

  beforeAll(async () => {
    mcp = await openMcp();
    account_id = await anAccount(mcp.service, { entitlements: [{ product_id: TOOL }] });
  });

  const aToken = (permissions: readonly Ability[] = ABILITIES, more: object = {}) =>
    mcp.issue({ account_id, permissions, ...more });

  test('a token with the default permissions initializes, lists and calls', async () => {
    const token = aToken(['mcp.read', 'products.read']);
    expect((await mcp.tell(INITIALIZE, token)).status).toBe(200);
    const { result } = (await mcp.tell(message2025('tools/list'), token)).body;
    const names = result.tools.map(({ name }: { name: string }) => name);
    expect(names).toContain('plan_install');
    expect(names).not.toContain('list_orders');
    const library = (await mcp.tell(callOf('list_library'), token)).body.result.structuredContent;
    expect(library.items).toHaveLength(1);
  });

  test('a sign-in is never offered a tool that acts on the calling key, whatever its permissions', async () => {
    const { result } = (await mcp.tell(message2025('tools/list'), aToken())).body;
    const names: string[] = result.tools.map(({ name }: { name: string }) => name);
    const onKey = allEndpoints.flatMap(({ actsOnKey, tool }) => (actsOnKey && tool ? [tool.name] : []));
    expect(onKey.length).toBeGreaterThan(3);
    expect(names.filter((name) => onKey.includes(name))).toEqual([]);
    for (const name of onKey) {
      const { status, body } = await mcp.tell(callOf(name), aToken());
      expect([status, body.error.code]).toEqual([200, -32_602]);
    }
  });

  test.each([
    '2025-11-25',
    '2026-07-28',
  ])('a call in %s that lacks a permission is 403 and names the permissions to request', async (revision) => {
    const token = aToken(['mcp.read', 'products.read']);
    const params = { name: 'list_orders', arguments: {} };
    const { status, headers, body } =
      revision === '2025-11-25'
        ? await mcp.tell(message2025('tools/call', params), token)
        : await mcp.tell(message2026('tools/call', params), token, lowered(headers2026('tools/call', 'list_orders')));
    expect(status).toBe(403);
    expect(headers['www-authenticate']).toBe(
      `Bearer error="insufficient_scope", scope="mcp.read products.read orders.read", resource_metadata="${METADATA}"`,
    );
    expect(body).toEqual({ message: expect.stringContaining('orders.read'), error: 'missing_api_key_ability' });
    expect(Number(headers['x-ratelimit-remaining'])).toBeGreaterThan(0);
  });

  test('a token without mcp.read is 403 for every message, and the challenge keeps its permissions', async () => {
    const { status, headers } = await mcp.tell(INITIALIZE, aToken(['orders.read']));
    expect(status).toBe(403);
    expect(headers['www-authenticate']).toBe(
      `Bearer error="insufficient_scope", scope="mcp.read products.read orders.read", resource_metadata="${METADATA}"`,
    );
  });

  test.each([
    ['another resource', { resource: 'https://other.example.com/api/mcp' }],
    ['the API as a whole', { resource: API }],
    ['this resource with a slash at its end', { resource: `${API}/api/mcp/` }],
    ['this resource, and has expired', { expires_at: '2020-01-01T00:00:00.000Z' }],
  ])('a token for %s is 401', async (_, more) => {
    const { status, headers, body } = await mcp.tell(INITIALIZE, aToken(ABILITIES, more));
    expect([status, body.error]).toEqual([401, 'invalid_api_key']);
    expect(headers['www-authenticate']).toBe(
      `Bearer error="invalid_token", scope="mcp.read products.read", resource_metadata="${METADATA}"`,
    );
  });

  test('a revoked token is 401 from the next message on', async () => {
    const token = aToken();
    expect((await mcp.tell(INITIALIZE, token)).status).toBe(200);
    mcp.end(token);
    expect((await mcp.tell(INITIALIZE, token)).status).toBe(401);
  });

  test('a token in the query is never accepted', async () => {
    const token = aToken();
    for (const name of ['access_token', 'token']) {
      const reply = await mcp.tell(INITIALIZE, undefined, {}, `${name}=${token}`);
      expect([reply.status, reply.body.error]).toEqual([401, 'missing_api_key']);
    }
  });

  test('a session id of a signed-in client authenticates nobody', async () => {
    const { headers } = await mcp.tell(INITIALIZE, aToken());
    const session = { 'mcp-session-id': headers['mcp-session-id'] as string };
    expect((await mcp.tell(message2025('tools/list'), undefined, session)).status).toBe(401);
    const { value: weak } = await aKey(mcp.service, account_id, { abilities: [] });
    expect((await mcp.tell(message2025('tools/list'), weak, session)).status).toBe(403);
  });
});

const lowered = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

describe('the handling of one message', () => {
  test('a message’s caller is identified once, and its key’s use is recorded once', async () => {
    const calls: string[] = [];
    const plain = await openMcp();
    const counted =
      (name: string, part: (...given: never[]) => unknown) =>
      (...given: never[]) => {
        calls.push(name);
        return part(...given);
      };
    const account = await anAccount(plain.service, { entitlements: [{ product_id: TOOL }] });
    const authenticate = counted('authenticate', plain.service.get('authenticate') as never);
    const recordKeyUse = counted('recordKeyUse', plain.service.get('recordKeyUse') as never);
    const { value } = await aKey(plain.service, account);
    const mcp = await openMcp({ authenticate, recordKeyUse });
    const { body } = await mcp.tell(callOf('show_client_config'), value);
    expect(body.result.isError).toBeUndefined();
    expect(calls).toEqual(['authenticate', 'recordKeyUse']);
  });

  test('a store error is a JSON-RPC error with the request id, and is logged', async () => {
    const catalogs = { current: async () => ({}) };
    const invoker = {
      invoke: async () => {
        throw new Error('The disk of secrets broke.');
      },
    };
    const mcp = await openMcp({ invoker, catalogs });
    const account = await anAccount(mcp.service);
    const { value } = await aKey(mcp.service, account);
    const id = 'request-of-the-case';
    for (const [message, headers] of [
      [callOf('list_library'), {}],
      [
        message2026('tools/call', { name: 'list_library', arguments: {} }),
        lowered(headers2026('tools/call', 'list_library')),
      ],
    ] as const) {
      const { status, body } = await mcp.tell(message, value, { ...headers, 'x-request-id': id });
      expect([status, body.error.code]).toEqual([200, -32_603]);
      expect(body.error.message).toContain(id);
      expect(body.error.message).not.toContain('disk');
    }
    expect(mcp.faults).toHaveLength(2);
  });
});
