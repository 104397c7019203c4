import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { aServer, DEMO } from '../../sign-in/a-server.ts';
import { PageBrowser } from '../../support/page-browser.ts';
import { ClientMemory, letInDemo, REDIRECT } from './a-client.ts';

/* The clients of agent frameworks sign in by themselves: discovery, registration, sign-in, refresh. */

const ABOUT = { name: 'test', version: '1.0.0' };

type Connect = (
  url: URL,
  memory: ClientMemory,
) => Promise<{
  readonly tools: () => Promise<string[]>;
  readonly call: (name: string) => Promise<unknown>;
  readonly close: () => Promise<void>;
}>;
/** `answered` is the URL to which the browser was sent back. */
type Finish = (url: URL, memory: ClientMemory, answered: URL) => Promise<void>;

const CLIENTS: { readonly name: string; readonly connect: Connect; readonly finish: Finish }[] = [
  {
    name: 'the client of the 2025 era',
    connect: async (url, authProvider) => {
      const client = new Client(ABOUT);
      await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
      return {
        tools: async () => (await client.listTools()).tools.map(({ name }) => name),
        call: async (name) => (await client.callTool({ name, arguments: {} })).structuredContent,
        close: () => client.close(),
      };
    },
    finish: (url, authProvider, { searchParams }) =>
      new StreamableHTTPClientTransport(url, { authProvider }).finishAuth(searchParams.get('code') as string),
  },
  {
    name: 'the 2.x client',
    connect: async (url, authProvider) => {
      const client = new Client2(ABOUT);
      await client.connect(new Transport2(url, { authProvider }));
      return {
        tools: async () => (await client.listTools()).tools.map(({ name }) => name),
        call: async (name) => (await client.callTool({ name, arguments: {} })).structuredContent,
        close: () => client.close(),
      };
    },
    finish: (url, authProvider, { searchParams }) => new Transport2(url, { authProvider }).finishAuth(searchParams),
  },
];

test.each(CLIENTS)('$name registers, signs in, refreshes, and calls until its owner disconnects it', async (one) => {
  const { urls, service } = await aServer();
  const mcp = new URL(`${urls.api}/api/mcp`);
  const memory = new ClientMemory();
  await expect(one.connect(mcp, memory)).rejects.toThrow(/unauthorized/i);

  const browser = new PageBrowser(urls.account);
  const answered = await letInDemo(browser, memory.opened as URL);
  expect(answered.href.startsWith(REDIRECT)).toBe(true);
  expect(answered.searchParams.get('iss')).toBe(urls.account);
  await one.finish(mcp, memory, answered);
  const first = memory.kept;
  expect(first).toMatchObject({ expires_in: 3600, refresh_token: expect.any(String) });

  const client = await one.connect(mcp, memory);
  expect(await client.tools()).toContain('list_library');
  expect(await client.call('list_library')).toMatchObject({ items: expect.any(Array) });
  await client.close();

  memory.saveTokens({ ...(first as NonNullable<typeof first>), access_token: 'has-expired' });
  const again = await one.connect(mcp, memory);
  expect(memory.kept?.access_token).not.toBe(first?.access_token);
  expect(await again.tools()).toContain('list_library');

  const [app] = await service.get('listConnectedApps')(DEMO.id);
  expect(app).toMatchObject({ client_name: 'Test agent', redirect_host: '127.0.0.1' });
  await service.get('disconnectApp')(grantPermit(), DEMO.id, app?.grant_id as string);
  memory.opened = undefined;
  await expect(again.tools()).rejects.toThrow();
  expect(memory.opened, 'the client has to ask its owner again').toBeDefined();
});

type OneClient = (typeof CLIENTS)[number];
const [OF_2025, TWO] = CLIENTS as [OneClient, OneClient];

test('a client that lacks a permission asks its owner for it, and gets it in addition to its others', async () => {
  const { urls } = await aServer();
  const mcp = new URL(`${urls.api}/api/mcp`);
  const memory = new ClientMemory();
  await expect(TWO.connect(mcp, memory)).rejects.toThrow(/unauthorized/i);
  const browser = new PageBrowser(urls.account);
  await TWO.finish(mcp, memory, await letInDemo(browser, memory.opened as URL));
  expect(memory.kept?.scope).toBe('products.read mcp.read');

  const client = await TWO.connect(mcp, memory);
  memory.opened = undefined;
  await expect(client.call('list_orders')).rejects.toThrow(/unauthorized/i);
  const wider = memory.opened as unknown as URL;
  expect(wider.searchParams.get('scope')?.split(' ')).toContain('orders.read');
  await TWO.finish(mcp, memory, await letInDemo(browser, wider));
  const again = await TWO.connect(mcp, memory);
  expect(await again.call('list_orders')).toMatchObject({ orders: expect.any(Array) });
});

test('a sign-in token opens no endpoint except the account MCP', async () => {
  const { urls } = await aServer();
  const mcp = new URL(`${urls.api}/api/mcp`);
  const memory = new ClientMemory();
  await expect(OF_2025.connect(mcp, memory)).rejects.toThrow(/unauthorized/i);
  await OF_2025.finish(mcp, memory, await letInDemo(new PageBrowser(urls.account), memory.opened as URL));
  const headers = { authorization: `Bearer ${memory.kept?.access_token}` };
  for (const url of [`${urls.api}/api/library`, `${urls.app}/distribution/v1/products/3/appcast.xml`]) {
    const elsewhere = await fetch(url, { headers });
    expect(elsewhere.status).toBe(401);
    expect(await elsewhere.json()).toMatchObject({ error: 'invalid_api_key' });
  }
});
