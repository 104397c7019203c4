import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { aBuyer } from '../buyers.ts';
import { get } from '../client.ts';
import { callTool, INITIALIZE, message2025, tell } from '../mcp-message.ts';
import type { Mount, OpenMount } from '../mount.ts';
import { openShop, TOOL } from '../shop.ts';
import { withinOneMinute } from '../times.ts';

const LIMIT = 5;

/** Tests that a message counts once against the rate limit, whatever it requests. */
export const mcpLimitsSuite = (open: OpenMount): void => {
  let mount: Mount;

  beforeAll(async () => {
    mount = await open({ perAccount: LIMIT, perAddress: 2 });
    await openShop(mount.service);
  });
  afterAll(() => mount.close());
  beforeEach(withinOneMinute);

  test.each([
    ['initialize', INITIALIZE],
    ['tools/list', message2025('tools/list')],
    ['ping', message2025('ping')],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['a tool', message2025('tools/call', { name: 'show_product', arguments: { product: TOOL } })],
    ['a tool with wrong arguments', message2025('tools/call', { name: 'show_product', arguments: { id: TOOL } })],
    ['an unknown tool', message2025('tools/call', { name: 'none', arguments: {} })],
    ['a message that is none', { jsonrpc: '2.0' }],
  ])('the message %s counts once against the account’s limit, and is 429 above it', async (_, message) => {
    const { key } = await aBuyer(mount.service);
    const remaining = async (): Promise<string | null> =>
      (await tell(mount, message, { key })).headers.get('x-ratelimit-remaining');
    expect([await remaining(), await remaining()]).toEqual([String(LIMIT - 1), String(LIMIT - 2)]);
    expect((await get(mount, '/api/library', key)).headers.get('x-ratelimit-remaining')).toBe(String(LIMIT - 3));
    expect([await remaining(), await remaining()]).toEqual(['1', '0']);
    for (let i = 0; i < 2; i++) {
      const refused = await tell(mount, message, { key });
      expect([refused.status, refused.headers.get('x-ratelimit-remaining')]).toEqual([429, '0']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await callTool(mount, key, 'list_library')).status).toBe(429);
  });

  test('a message with a wrong key counts against the IP address', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) statuses.push((await tell(mount, INITIALIZE, { key: 'svc_none' })).status);
    expect(statuses).toEqual([401, 401, 429]);
  });
};
