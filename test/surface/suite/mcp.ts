import { beforeAll, describe, expect, test } from 'vitest';
import { ABILITIES } from '../../../domain/access/abilities.ts';
import { aBuyer, aKey, anAccount, aStranger, type Buyer } from '../buyers.ts';
import { get, post, send } from '../client.ts';
import { ASSET } from '../good-requests.ts';
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
  toolNames,
} from '../mcp-message.ts';
import type { Mount } from '../mount.ts';
import { sendRaw } from '../raw.ts';
import { GUIDE, OTHER, SKILL, sha256, TOOL, UNKNOWN } from '../shop.ts';

/** Tests the account MCP: its protocol, its tools, and the credentials that it takes. */
export const mcpSuite = (mount: () => Mount): void => {
  let buyer: Buyer;

  beforeAll(async () => {
    buyer = await aBuyer(mount().service);
  });

  describe('the protocol', () => {
    test('initialize answers with the revision, the instructions and a random session id', async () => {
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

    test('a session id authenticates nothing, and any session id is ignored', async () => {
      const { headers } = await tell(mount(), INITIALIZE, buyer);
      const session = { 'Mcp-Session-Id': headers.get('mcp-session-id') as string };
      expect((await tell(mount(), message2025('tools/list'), { headers: session })).status).toBe(401);
      const other = await tell(mount(), message2025('ping'), { key: buyer.key, headers: { 'Mcp-Session-Id': 'none' } });
      expect([other.status, other.body.result]).toEqual([200, {}]);
      expect(other.headers.get('mcp-session-id')).toBeNull();
    });

    test('server/discover answers with revision 2026-07-28 and the same instructions', async () => {
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

    test('a batch is 400 with a JSON-RPC error', async () => {
      for (const batch of [[], [message2025('ping')], [message2025('ping'), message2025('tools/list')]]) {
        const reply = await tell(mount(), batch, buyer);
        expect([reply.status, reply.body.error.code, reply.body.id]).toEqual([400, -32_600, null]);
      }
    });

    test('a body that is no JSON is 400 with the parse error of JSON-RPC', async () => {
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
      { id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: {}, method: 'ping' },
      { jsonrpc: '2.0', id: 1, method: 5 },
    ])('the JSON %j, which is no JSON-RPC message, is 400', async (message) => {
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
      const older = await tell(mount(), message2025('resources/list'), buyer);
      expect([older.status, older.body.error.code]).toEqual([200, -32_601]);
      const newer = await tell(mount(), message2026('resources/list'), {
        key: buyer.key,
        headers: headers2026('resources/list'),
      });
      expect([newer.status, newer.body.error.code]).toEqual([404, -32_601]);
    });

    test('a request to listen is refused in one JSON document, because nothing here changes by itself', async () => {
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

    test('a message of 2026-07-28 whose headers say something else is 400', async () => {
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

    test('an encoded Mcp-Name gets the answer of a plain one', async () => {
      const name = `=?base64?${Buffer.from('list_library').toString('base64')}?=`;
      const message = message2026('tools/call', { name: 'list_library', arguments: {} });
      const encoded = await tell(mount(), message, { key: buyer.key, headers: headers2026('tools/call', name) });
      expect(encoded.body).toEqual((await callTool2026(mount(), buyer.key, 'list_library')).body);
    });

    test('a call with a member that the protocol does not know gets the answer of a plain one', async () => {
      const params = { name: 'list_library', arguments: {} };
      const plain = await tell(mount(), message2025('tools/call', params), buyer);
      const odd = await tell(mount(), message2025('tools/call', { ...params, odd: 1 }), buyer);
      expect(odd.body).toEqual(plain.body);
    });

    test.each(['GET', 'DELETE', 'PUT'])('%s is 405 with Allow', async (method) => {
      const reply = await send(mount(), method, MCP, { key: buyer.key, headers: { accept: 'text/event-stream' } });
      expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST']);
    });
  });

  describe('the sender', () => {
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

    test('a request for this machine by a loopback name passes', async () => {
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

    test('a 401 leads to the metadata of the resource, at both of its paths', async () => {
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

  describe('a tool', () => {
    test.each([
      ['2025-11-25', callTool],
      ['2026-07-28', callTool2026],
    ] as const)('the result of a tool in %s is what the REST API answers, as structured content and as text', async (_, call) => {
      const { body } = await call(mount(), buyer.key, 'show_product', { product: TOOL });
      const rest = await get(mount(), `/api/products/${TOOL}`, buyer.key);
      expect(body.result.structuredContent).toEqual(rest.body);
      expect(body.result.content.map(({ text }: { text: string }) => JSON.parse(text))).toEqual([rest.body]);
      expect(body.result).not.toHaveProperty('isError');
    });

    test('a text comes in the language of the argument, or else of the request', async () => {
      const name = async (args: object, headers?: Record<string, string>) =>
        (await callTool(mount(), buyer.key, 'show_product', { product: TOOL, ...args }, headers)).body.result
          .structuredContent.product.name;
      expect(await name({})).toBe('Tool');
      expect(await name({}, { 'accept-language': 'ko' })).toBe('도구');
      expect(await name({ language: 'ko' })).toBe('도구');
      expect(await name({ language: 'en' }, { 'accept-language': 'ko' })).toBe('Tool');
    });

    test('a refusal is an error of the tool with the sentence that says what to change', async () => {
      const { body } = await callTool(mount(), buyer.key, 'show_product', { product: UNKNOWN });
      expect(body.result).toEqual({
        isError: true,
        content: [
          {
            type: 'text',
            text: 'There is no such product. Take ids, paths and names from the tools that list them, such as list_library and list_products.',
          },
        ],
      });
      const forbidden = await callTool(mount(), buyer.key, 'plan_install', { product: OTHER });
      expect(forbidden.body.result.isError).toBe(true);
      expect(JSON.parse(forbidden.body.result.content[1].text).error).toBe('product_entitlement_required');
    });

    test('invalid arguments name each field', async () => {
      const { body } = await callTool(mount(), buyer.key, 'record_install', {
        product_id: 'one',
        artifact_sha256: 'x',
      });
      expect(body.result.isError).toBe(true);
      for (const field of ['product_id', 'version', 'artifact_sha256']) {
        expect(body.result.content[0].text).toContain(`- ${field}: The `);
      }
    });

    test('an argument that the tool does not have is named', async () => {
      const { body } = await callTool(mount(), buyer.key, 'plan_install', { product: TOOL, os: 'linux' });
      expect(body.result).toMatchObject({ isError: true });
      expect(body.result.content[0].text).toMatch(/"os".*product, channel, platform, release/);
    });

    test('an unknown tool is a JSON-RPC error', async () => {
      const { status, body } = await callTool(mount(), buyer.key, 'buy_everything');
      expect([status, body.error.code]).toEqual([200, -32_602]);
    });

    test('a file comes as a link that needs no credential, and never as bytes', async () => {
      const { key } = await aBuyer(mount().service, { product_id: SKILL });
      const { body } = await callTool(mount(), key, 'download_bundle', { product: SKILL });
      const [link, text] = body.result.content;
      const { download_url, sha256: sum, size, filename } = body.result.structuredContent;
      expect(link).toEqual({ type: 'resource_link', uri: download_url, name: filename, size });
      expect(JSON.parse(text.text)).toEqual(body.result.structuredContent);
      const bytes = await (await fetch(download_url)).text();
      expect([sha256(bytes), bytes.length]).toEqual([sum, size]);
      expect(download_url).not.toContain(key);
      const asset = await callTool(mount(), buyer.key, 'download_content_asset', { product: TOOL, path: ASSET });
      expect(await (await fetch(asset.body.result.structuredContent.download_url)).text()).toBe(GUIDE);
    });

    test('a full license answers with the devices and the address where one is released', async () => {
      const { key } = await aBuyer(mount().service);
      const check = (device_id: string) => callTool(mount(), key, 'check_license', { product_id: TOOL, device_id });
      for (const device of ['one', 'two', 'three']) {
        expect((await check(device)).body.result.structuredContent.valid).toBe(true);
      }
      const { body } = await check('four');
      expect(body.result.isError).toBe(true);
      const refusal = JSON.parse(body.result.content[1].text);
      expect(refusal.devices).toHaveLength(3);
      expect(refusal.manage_url).toBe(`${mount().urls.account}/devices?product=${TOOL}`);
    });

    test('a repeated call with one idempotency_key is answered once', async () => {
      const install = { product_id: TOOL, version: '1.0.0', idempotency_key: 'one-install' };
      const ids = [];
      for (let i = 0; i < 2; i++) {
        const { body } = await callTool(mount(), buyer.key, 'record_install', install);
        ids.push(body.result.structuredContent.install.id);
      }
      expect(ids[0]).toBe(ids[1]);
    });

    test('a large batch of usage is taken by its own tool alone', async () => {
      const day = (n: number) => ({
        product_id: TOOL,
        usage_date: '2026-01-01',
        launches: n,
        commands: { c: 'x'.repeat(900) },
      });
      const days = Array.from({ length: 150 }, (_, n) => day(n));
      const { status, body } = await callTool(mount(), buyer.key, 'upload_usage', { consent: true, days });
      expect([status, body.result.isError]).toEqual([200, undefined]);
      expect((await callTool(mount(), buyer.key, 'record_install', { days })).status).toBe(413);
    });
  });

  describe('the list of tools', () => {
    test('a key sees the tools of its abilities alone, and can call no other', async () => {
      const account = await anAccount(mount().service, { entitlements: [{ product_id: TOOL }] });
      const { value: key } = await aKey(mount().service, account, { abilities: ['mcp.read', 'products.read'] });
      const names = await toolNames(mount(), key);
      expect(names).toContain('list_library');
      expect(names).not.toContain('list_orders');
      expect((await callTool(mount(), key, 'list_orders')).body.error.code).toBe(-32_602);
    });

    test('only a key that is bound to a product can sign a device out of a product', async () => {
      const account = await anAccount(mount().service, { entitlements: [{ product_id: TOOL }] });
      const { value: bound } = await aKey(mount().service, account, { product_id: TOOL });
      expect(await toolNames(mount(), bound)).toContain('revoke_license_device');
      expect(await toolNames(mount(), buyer.key)).not.toContain('revoke_license_device');
    });

    test('?tools= narrows the list and the calls to groups', async () => {
      expect(await toolNames(mount(), buyer.key, '?tools=install')).toEqual(['plan_install']);
      const two = await toolNames(mount(), buyer.key, '?tools=library,install');
      expect(two).toEqual([
        'list_library',
        'list_content_assets',
        'download_content_asset',
        'download_bundle',
        'plan_install',
      ]);
      const other = message2025('tools/call', { name: 'list_orders', arguments: {} });
      const reply = await tell(mount(), other, { key: buyer.key, query: '?tools=library' });
      expect(reply.body.error.code).toBe(-32_602);
    });

    test('an unknown group is 400 with the accepted names', async () => {
      const reply = await tell(mount(), message2025('tools/list'), { key: buyer.key, query: '?tools=library,games' });
      expect(reply.status).toBe(400);
      expect(reply.body.error.message).toMatch(/"games".*library, .*client_config/);
    });

    test('a revoked key is 401 from its next message on', async () => {
      const { key } = await aStranger(mount().service);
      const out = await callTool(mount(), key, 'logout_device');
      expect(out.body.result.structuredContent).toEqual({ done: true });
      expect((await tell(mount(), INITIALIZE, { key })).status).toBe(401);
      expect((await post(mount(), MCP, key, INITIALIZE)).status).toBe(401);
    });
  });
};
