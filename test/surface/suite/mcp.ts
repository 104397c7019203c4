import { beforeAll, describe, expect, test } from 'vitest';
import { ABILITIES } from '../../../domain/access/abilities.ts';
import { aBuyer, aKey, anAccount, type Buyer } from '../buyers.ts';
import { get, send } from '../client.ts';
import {
  callTool,
  callTool2026,
  headers2026,
  INITIALIZE,
  MCP,
  message2025,
  message2026,
  REVISION_2025,
  REVISION_2026,
  tell,
} from '../mcp-message.ts';
import type { Mount } from '../mount.ts';
import { sendRaw } from '../raw.ts';

/** Tests the account MCP: its protocol, its tools, and the credentials that it accepts. */
export const mcpSuite = (mount: () => Mount): void => {
  let buyer: Buyer;

  beforeAll(async () => {
    buyer = await aBuyer(mount().service);
  });

  describe('the MCP protocol', () => {
    test('an initialize request returns the revision, the instructions and a random session id', async () => {
      const [one, two] = [await tell(mount(), INITIALIZE, buyer), await tell(mount(), INITIALIZE, buyer)];
      expect(one.body).toMatchObject({
        jsonrpc: '2.0',
        id: 1,
        result: {
          protocolVersion: REVISION_2025,
          capabilities: { tools: {} },
          serverInfo: { name: 'account-service' },
        },
      });
      expect(one.body.result.instructions).toContain('list_library');
      const ids = [one, two].map(({ headers }) => headers.get('mcp-session-id'));
      expect(ids[0]).toMatch(/^[\x21-\x7e]{16,}$/);
      expect(ids[0]).not.toBe(ids[1]);
    });

    test('a session id authenticates nothing and is ignored', async () => {
      const { headers } = await tell(mount(), INITIALIZE, buyer);
      const session = { 'Mcp-Session-Id': headers.get('mcp-session-id') as string };
      expect((await tell(mount(), message2025('tools/list'), { headers: session })).status).toBe(401);
      const other = await tell(mount(), message2025('ping'), { key: buyer.key, headers: { 'Mcp-Session-Id': 'none' } });
      expect([other.status, other.body.result]).toEqual([200, {}]);
      expect(other.headers.get('mcp-session-id')).toBeNull();
    });

    test('a server/discover request returns revision 2026-07-28 and the same instructions', async () => {
      const reply = await tell(mount(), message2026('server/discover'), {
        key: buyer.key,
        headers: headers2026('server/discover'),
      });
      expect(reply.status).toBe(200);
      expect(reply.body.result.supportedVersions).toContain(REVISION_2026);
      expect(reply.body.result.instructions).toContain('list_library');
    });

    test('both revisions give the same tools, in the same order, on one page', async () => {
      const older = await tell(mount(), message2025('tools/list'), buyer);
      const newer = await tell(mount(), message2026('tools/list'), {
        key: buyer.key,
        headers: headers2026('tools/list'),
      });
      expect(older.body.result.tools.length).toBeGreaterThan(25);
      expect(newer.body.result.tools).toEqual(older.body.result.tools);
      expect(older.body.result).not.toHaveProperty('nextCursor');
      expect(newer.body.result).not.toHaveProperty('nextCursor');
    });

    test('a notification and a response are 202 without a body', async () => {
      const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
      for (const message of [notification, { jsonrpc: '2.0', id: 7, result: {} }]) {
        const reply = await tell(mount(), message, buyer);
        expect([reply.status, reply.text]).toEqual([202, '']);
      }
    });

    test('a message can omit its jsonrpc', async () => {
      for (const message of [
        { id: 1, method: 'ping' },
        { ...message2025('tools/list'), jsonrpc: null },
      ]) {
        const reply = await tell(mount(), message, buyer);
        expect([reply.status, reply.body.result !== undefined]).toEqual([200, true]);
      }
      expect((await tell(mount(), { method: 'notifications/initialized' }, buyer)).status).toBe(202);
    });

    test('null parameters and arguments count as absent', async () => {
      for (const params of [null, undefined]) {
        const listed = await tell(mount(), { ...message2025('tools/list'), params }, buyer);
        expect([listed.status, listed.body.result?.tools.length > 0]).toEqual([200, true]);
      }
      const called = await tell(mount(), message2025('tools/call', { name: 'list_library', arguments: null }), buyer);
      expect([called.status, called.body.result?.isError]).toEqual([200, undefined]);
      const newer = await tell(mount(), message2026('tools/call', { name: 'list_library', arguments: null }), {
        key: buyer.key,
        headers: headers2026('tools/call', 'list_library'),
      });
      expect([newer.status, newer.body.result?.resultType]).toEqual([200, 'complete']);
    });

    test('a batch is 400 with a JSON-RPC error', async () => {
      for (const batch of [[], [message2025('ping')], [message2025('ping'), message2025('tools/list')]]) {
        const reply = await tell(mount(), batch, buyer);
        expect([reply.status, reply.body.error.code, reply.body.id]).toEqual([400, -32_600, null]);
      }
    });

    test('a body that is not JSON is 400 with JSON-RPC’s parse error', async () => {
      for (const text of ['{"jsonrpc"', 'ping', '{} {}']) {
        const reply = await send(mount(), 'POST', MCP, {
          key: buyer.key,
          text,
          headers: { 'Content-Type': 'application/json' },
        });
        expect([reply.status, reply.body.error.code, reply.body.id]).toEqual([400, -32_700, null]);
      }
    });

    test.each([
      {},
      null,
      5,
      'ping',
      { jsonrpc: '1.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: {}, method: 'ping' },
      { jsonrpc: '2.0', id: 1, method: 5 },
    ])('the JSON %j, which is not a JSON-RPC message, is 400', async (message) => {
      const reply = await tell(mount(), message, buyer);
      expect([reply.status, reply.body.error.code]).toEqual([400, -32_600]);
    });

    test('a deeply nested message is 400, and a message over 64 KiB is 413', async () => {
      const deep = JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`);
      expect((await callTool(mount(), buyer.key, 'list_library', { deep })).status).toBe(400);
      const long = await callTool(mount(), buyer.key, 'list_library', { long: 'x'.repeat(64 * 1024) });
      expect([long.status, long.body.error.message]).toEqual([413, expect.stringContaining('65536 bytes')]);
    });

    test('an unknown method is a JSON-RPC error in both revisions', async () => {
      const older = await tell(mount(), message2025('prompts/list'), buyer);
      expect([older.status, older.body.error.code]).toEqual([200, -32_601]);
      const newer = await tell(mount(), message2026('prompts/list'), {
        key: buyer.key,
        headers: headers2026('prompts/list'),
      });
      expect([newer.status, newer.body.error.code]).toEqual([404, -32_601]);
    });

    test('a request to listen is refused in one JSON document, because the service sends no notifications', async () => {
      const reply = await tell(mount(), message2026('subscriptions/listen', { notifications: {} }), {
        key: buyer.key,
        headers: headers2026('subscriptions/listen'),
      });
      expect([reply.status, reply.body.error.code]).toEqual([404, -32_601]);
    });

    test.each(['1999-01-01', '2027-01-01', 'latest'])('the unknown protocol version %s is 400', async (version) => {
      const headers = { 'MCP-Protocol-Version': version };
      const reply = await tell(mount(), message2025('ping'), { key: buyer.key, headers });
      expect([reply.status, reply.body.jsonrpc]).toEqual([400, '2.0']);
      expect(reply.body.error.message).toEqual(expect.any(String));
    });

    test('a message of 2026-07-28 with contradicting headers is 400', async () => {
      const message = message2026('tools/call', { name: 'list_library', arguments: {} });
      const wrong = [
        headers2026('tools/list', 'list_library'),
        headers2026('tools/call', 'list_orders'),
        headers2026('tools/call'),
        { 'MCP-Protocol-Version': REVISION_2026 },
        { 'MCP-Protocol-Version': REVISION_2025 },
        {},
      ];
      for (const headers of wrong) {
        const reply = await tell(mount(), message, { key: buyer.key, headers });
        expect([reply.status, reply.body.error.code], JSON.stringify(headers)).toEqual([400, -32_020]);
      }
    });

    test('an encoded Mcp-Name gets the response of a plain one', async () => {
      const name = `=?base64?${Buffer.from('list_library').toString('base64')}?=`;
      const message = message2026('tools/call', { name: 'list_library', arguments: {} });
      const encoded = await tell(mount(), message, { key: buyer.key, headers: headers2026('tools/call', name) });
      expect(encoded.body).toEqual((await callTool2026(mount(), buyer.key, 'list_library')).body);
    });

    test('a call with an unknown member gets the response of a plain one', async () => {
      const params = { name: 'list_library', arguments: {} };
      const plain = await tell(mount(), message2025('tools/call', params), buyer);
      const odd = await tell(mount(), message2025('tools/call', { ...params, odd: 1 }), buyer);
      expect(odd.body).toEqual(plain.body);
    });

    test.each(['GET', 'DELETE', 'PUT'])('the method %s is 405 with Allow', async (method) => {
      const reply = await send(mount(), method, MCP, { key: buyer.key, headers: { accept: 'text/event-stream' } });
      expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST']);
    });
  });

  describe('the sender of an MCP message', () => {
    test.each([
      'https://evil.example.com',
      'http://127.0.0.1.evil.example.com',
      'null',
      'x',
    ])('a page of the foreign origin %s is 403', async (origin) => {
      const reply = await tell(mount(), INITIALIZE, { key: buyer.key, headers: { origin } });
      expect([reply.status, reply.body]).toEqual([403, { message: expect.any(String) }]);
    });

    test('a page of the API’s own origin, and a sender without an origin, pass', async () => {
      const { origin } = new URL(mount().urls.api);
      expect((await tell(mount(), INITIALIZE, { key: buyer.key, headers: { origin } })).status).toBe(200);
    });

    test.each([
      'evil.example.com',
      'evil.example.com:80',
      'api.evil.example.com',
    ])('a request for the foreign host %s is 403', async (host) => {
      const headers = { authorization: `Bearer ${buyer.key}`, 'content-type': 'application/json', host };
      const reply = await sendRaw(mount(), {
        method: 'POST',
        path: MCP,
        headers,
        chunks: [JSON.stringify(INITIALIZE)],
      });
      expect(reply.status).toBe(403);
    });

    test('a request to this machine by a loopback name passes', async () => {
      const headers = { authorization: `Bearer ${buyer.key}`, 'content-type': 'application/json', host: 'localhost' };
      const reply = await sendRaw(mount(), {
        method: 'POST',
        path: MCP,
        headers,
        chunks: [JSON.stringify(INITIALIZE)],
      });
      expect(reply.status).toBe(200);
    });

    test('a credential in the query is ignored', async () => {
      for (const name of ['access_token', 'token', 'key', 'api_key']) {
        const reply = await tell(mount(), INITIALIZE, { query: `?${name}=${buyer.key}` });
        expect([reply.status, reply.body.error]).toEqual([401, 'missing_api_key']);
      }
    });

    test('a key without mcp.read is 403', async () => {
      const account = await anAccount(mount().service);
      const abilities = ABILITIES.filter((ability) => ability !== 'mcp.read');
      const { value: key } = await aKey(mount().service, account, { abilities });
      const reply = await tell(mount(), INITIALIZE, { key });
      expect([reply.status, reply.body.error]).toEqual([403, 'missing_api_key_ability']);
      expect(reply.headers.get('www-authenticate')).toBeNull();
    });

    test('a 401 points to the resource’s metadata, which is at both of its paths', async () => {
      const { api, account } = mount().urls;
      const { headers } = await tell(mount(), INITIALIZE);
      const [, url] = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '') ?? [];
      expect(url).toBe(`${api}/.well-known/oauth-protected-resource/api/mcp`);
      for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/api/mcp']) {
        const reply = await get(mount(), path, undefined, { origin: 'https://inspector.example.com' });
        expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
        expect(reply.body).toEqual({
          resource: `${api}/api/mcp`,
          authorization_servers: [account],
          scopes_supported: ABILITIES,
          bearer_methods_supported: ['header'],
          resource_name: expect.any(String),
        });
        const etag = reply.headers.get('etag') as string;
        expect((await get(mount(), path, undefined, { 'if-none-match': etag })).status).toBe(304);
      }
    });

    test('the legacy host forwards messages', async () => {
      const response = await fetch(mount().legacyUrl + MCP, {
        method: 'POST',
        headers: { Authorization: `Bearer ${buyer.key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(message2025('tools/call', { name: 'list_library', arguments: {} })),
      });
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual((await callTool(mount(), buyer.key, 'list_library')).body);
    });
  });
};
