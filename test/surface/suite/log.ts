import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { anAgent } from '../agents.ts';
import { aBuyer, type Buyer } from '../buyers.ts';
import { get, send } from '../client.ts';
import { callTool, INITIALIZE, tell } from '../mcp-message.ts';
import type { Mount } from '../mount.ts';
import { OTHER, TOOL, UNKNOWN } from '../shop.ts';

/** Tests the log line of a request: it names its sender, and contains no secret. */
export const logSuite = (mount: () => Mount): void => {
  let buyer: Buyer;
  let keyId: number;

  beforeAll(async () => {
    buyer = await aBuyer(mount().service);
    const [key] = (await mount().service.get('apiKeys').scopes(buyer.account)).flatMap(({ keys }) => keys);
    keyId = key?.id as number;
  });

  /** The line of the request that `ask` makes with the id. */
  const lineOf = async (ask: (headers: { 'X-Request-Id': string }) => Promise<unknown>) => {
    const id = randomUUID();
    await ask({ 'X-Request-Id': id });
    const found = () =>
      mount()
        .requestLines()
        .filter((line) => line['id'] === id);
    await expect.poll(found).toHaveLength(1);
    return found()[0] as Readonly<Record<string, unknown>>;
  };

  test('the log line of a call has the IP address, the account and the key id, and no part of the key itself', async () => {
    const line = await lineOf((headers) => get(mount(), '/api/library?secret=1', buyer.key, headers));
    const { account: accountId } = buyer;
    expect(line).toMatchObject({ address: '127.0.0.1', path: '/api/library', status: 200, accountId, keyId });
    expect(JSON.stringify(line)).not.toMatch(new RegExp(`${buyer.key.slice(0, 10)}|secret`));
  });

  test('the log line of a license check has the code of its decision or refusal', async () => {
    const check = (body: object) =>
      lineOf((headers) => {
        const json = { device_id: 'mine', ...body };
        return send(mount(), 'POST', '/api/license/check', { key: buyer.key, json, headers });
      });
    expect(await check({ product_id: TOOL })).toMatchObject({
      endpoint: 'checkLicense',
      decision: 'valid',
      code: null,
    });
    expect(await check({ product_id: OTHER })).toMatchObject({ status: 200, decision: 'not_entitled', code: null });
    const refused = await check({ product_id: UNKNOWN });
    expect(refused).toMatchObject({ status: 404, code: 'not_found' });
    expect(refused).not.toHaveProperty('decision');
  });

  test('the log line of a refused credential has the IP address and no key', async () => {
    const line = await lineOf((headers) => get(mount(), '/api/library', 'svc_nonsense', headers));
    expect(line).toMatchObject({ address: '127.0.0.1', status: 401, code: 'invalid_api_key', accountId: null });
    expect(line).not.toHaveProperty('keyId');
    expect(JSON.stringify(line)).not.toContain('nonsense');
  });

  test('the log line of an agent’s call has the id of its token and no key', async () => {
    const agent = await anAgent(mount().service, 'read');
    const line = await lineOf((headers) => get(mount(), '/api/agent/manifest', agent.key, headers));
    expect(line).toMatchObject({ address: '127.0.0.1', agentId: agent.id });
    expect(line).not.toHaveProperty('keyId');
  });

  test.each([
    ['GET', '/nothing', 404],
    ['DELETE', '/api/library', 405],
    ['GET', '/docs', 200],
    ['GET', '/openapi.json', 200],
    ['GET', '/healthz', 200],
  ])('the log line of %s %s has the IP address', async (method, path, status) => {
    const line = await lineOf((headers) => send(mount(), method, path, { headers }));
    expect(line).toMatchObject({ address: '127.0.0.1', method, path, status });
  });

  test('the log line of a page has the IP address', async () => {
    const line = await lineOf((headers) => fetch(`${mount().urls.account}/sign-in`, { headers }));
    expect(line).toMatchObject({ address: '127.0.0.1', path: '/sign-in', status: 200 });
  });

  describe('the log line of an MCP message', () => {
    test('a message and a tool call are logged with the IP address and the key id', async () => {
      const message = await lineOf((headers) => tell(mount(), INITIALIZE, { key: buyer.key, headers }));
      expect(message).toMatchObject({ address: '127.0.0.1', endpoint: 'callMcp', keyId });
      const before = mount().requestLines().length;
      await callTool(mount(), buyer.key, 'list_library');
      const called = () => mount().requestLines().slice(before);
      await expect.poll(called).toMatchObject([{ address: '127.0.0.1', endpoint: 'getLibrary', keyId }]);
    });

    test('a message with a refused credential is logged with the IP address and the code', async () => {
      const line = await lineOf((headers) => tell(mount(), INITIALIZE, { key: 'svc_nonsense', headers }));
      expect(line).toMatchObject({ address: '127.0.0.1', status: 401, code: 'invalid_api_key', endpoint: 'callMcp' });
      expect(line).not.toHaveProperty('keyId');
    });
  });

  test.each(['/', '/api/products/'])('a path of 7000 characters below %s is logged with 256', async (start) => {
    const path = start + 'x'.repeat(7000);
    const line = await lineOf((headers) => get(mount(), path, undefined, headers));
    expect(line['path']).toBe(`${path.slice(0, 255)}…`);
  });
};
