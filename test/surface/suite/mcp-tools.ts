import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { ABILITIES } from '../../../domain/access/abilities.ts';
import { aBuyer, aKey, anAccount, aStranger, type Buyer } from '../buyers.ts';
import { get, post } from '../client.ts';
import { ASSET } from '../good-requests.ts';
import { callTool, callTool2026, INITIALIZE, MCP, message2025, tell, toolNames } from '../mcp-message.ts';
import type { Mount } from '../mount.ts';
import { GUIDE, OTHER, SKILL, sha256, TOOL, UNKNOWN } from '../shop.ts';

/** Tests the tools of the account MCP, and the list of them. */
export const mcpToolsSuite = (mount: () => Mount): void => {
  let buyer: Buyer;

  beforeAll(async () => {
    buyer = await aBuyer(mount().service);
  });

  describe('a call of a tool', () => {
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

    test('a text is in the language of the argument, or else of the request', async () => {
      const name = async (args: object, headers?: Record<string, string>) =>
        (await callTool(mount(), buyer.key, 'show_product', { product: TOOL, ...args }, headers)).body.result
          .structuredContent.product.name;
      expect(await name({})).toBe('Tool');
      expect(await name({}, { 'accept-language': 'ko' })).toBe('도구');
      expect(await name({ language: 'ko' })).toBe('도구');
      expect(await name({ language: 'en' }, { 'accept-language': 'ko' })).toBe('Tool');
    });

    test('a refusal is a tool error that says what to change', async () => {
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

    test('a refusal that a buyer reads is in the requested language, and a missing platform lists the available ones', async () => {
      const asked = async (args: object) =>
        (await callTool(mount(), buyer.key, 'plan_install', { product: TOOL, language: 'ko', ...args })).body.result
          .content[0].text;
      expect(await asked({ release: 999 })).toContain('이 제품에는 릴리스 999이(가) 없습니다.');
      expect(await asked({})).toMatch(/- platform: .*darwin-arm64, linux-amd64\./);
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

    test('an unknown argument is named', async () => {
      const { body } = await callTool(mount(), buyer.key, 'plan_install', { product: TOOL, os: 'linux' });
      expect(body.result).toMatchObject({ isError: true });
      expect(body.result.content[0].text).toMatch(/"os".*product, channel, platform, release/);
    });

    test('an unknown tool is a JSON-RPC error', async () => {
      const { status, body } = await callTool(mount(), buyer.key, 'buy_everything');
      expect([status, body.error.code]).toEqual([200, -32_602]);
    });

    test('a file is returned as a link that needs no credential, never as bytes', async () => {
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

    test('a license with all slots in use lists the devices and the URL to release one', async () => {
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

    test('a repeated call with one idempotency_key has one effect', async () => {
      const install = { product_id: TOOL, version: '1.0.0', idempotency_key: 'one-install' };
      const ids = [];
      for (let i = 0; i < 2; i++) {
        const { body } = await callTool(mount(), buyer.key, 'record_install', install);
        ids.push(body.result.structuredContent.install.id);
      }
      expect(ids[0]).toBe(ids[1]);
    });

    test('a repeated bulk activation with its idempotency_key replaces unused keys', async () => {
      const account = await anAccount(mount().service, { entitlements: [{ product_id: TOOL }] });
      const device = (await aKey(mount().service, account, { device: {}, abilities: ABILITIES })).value;
      const activate = async (idempotency_key: string) => {
        const { body } = await callTool(mount(), device, 'bulk_activate', { idempotency_key });
        await sleep(5);
        return body.result.structuredContent.products[0];
      };
      const lost = await activate('one');
      expect(await activate('another')).toMatchObject({ status: 'existing', key: null });
      const again = await activate('one');
      expect(again.status).toBe('created');
      const license = async (key: string) => (await get(mount(), `/api/products/${TOOL}/license`, key)).status;
      expect([await license(lost.key), await license(again.key)]).toEqual([401, 200]);
    });

    test('a large usage batch is accepted only by its own tool', async () => {
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
    test('a key sees and can call only the tools of its abilities', async () => {
      const account = await anAccount(mount().service, { entitlements: [{ product_id: TOOL }] });
      const { value: key } = await aKey(mount().service, account, { abilities: ['mcp.read', 'products.read'] });
      const names = await toolNames(mount(), key);
      expect(names).toContain('list_library');
      expect(names).not.toContain('list_orders');
      expect((await callTool(mount(), key, 'list_orders')).body.error.code).toBe(-32_602);
    });

    test('only a product-bound key can sign a device out of a product', async () => {
      const account = await anAccount(mount().service, { entitlements: [{ product_id: TOOL }] });
      const { value: bound } = await aKey(mount().service, account, { product_id: TOOL });
      expect(await toolNames(mount(), bound)).toContain('revoke_license_device');
      expect(await toolNames(mount(), buyer.key)).not.toContain('revoke_license_device');
    });

    test('the query ?tools= limits the list and the calls to groups', async () => {
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
      expect(out.body.result.structuredContent).toEqual({ done: true, released_slots: 0 });
      expect((await tell(mount(), INITIALIZE, { key })).status).toBe(401);
      expect((await post(mount(), MCP, key, INITIALIZE)).status).toBe(401);
    });
  });
};
