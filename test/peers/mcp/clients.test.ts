import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as Client2025 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Transport2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allEndpoints } from '../../../ports/inbound/endpoints.ts';
import { aBuyer } from '../../surface/buyers.ts';
import { IN_MEMORY, openExpressMount } from '../../surface/express-mount.ts';
import type { Mount } from '../../surface/mount.ts';
import { openShop, TOOL } from '../../surface/shop.ts';

/** The file of a package, which may export nothing but its manifest. */
const fileOf = (name: string, file: string): string =>
  join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), file);

const INSPECTOR = fileOf('@modelcontextprotocol/inspector', 'clients/launcher/build/index.js');
const MCP_REMOTE = fileOf('mcp-remote', 'dist/proxy.js');

const ABOUT = { name: 'case', version: '1' };

/** Every tool except one, which needs a key for a product. */
const TOOL_COUNT = allEndpoints.filter(({ tool, host }) => tool && host !== 'design' && host !== 'shop').length - 1;

let mount: Mount;
let key: string;
let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'account-service-clients-'));
  mount = await openExpressMount(IN_MEMORY);
  await openShop(mount.service);
  ({ key } = await aBuyer(mount.service));
});
afterAll(async () => {
  await mount.close();
  await rm(home, { recursive: true, force: true });
});

const address = (): URL => new URL('/api/mcp', mount.urls.api);
const headers = () => ({ Authorization: `Bearer ${key}` });

/** The calls that every client makes, in any revision. */
type AnyClient = {
  readonly getInstructions: () => string | undefined;
  readonly listTools: () => Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  readonly callTool: (call: { name: string; arguments: Record<string, unknown> }) => Promise<unknown>;
};

const expectAll = async (client: AnyClient): Promise<void> => {
  expect(client.getInstructions()).toContain('list_library');
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(TOOL_COUNT);
  const library = await client.callTool({ name: 'list_library', arguments: {} });
  expect(library).toMatchObject({ structuredContent: { items: [{ product: { id: TOOL } }] } });
  const plan = await client.callTool({ name: 'plan_install', arguments: { product: TOOL, platform: 'linux-amd64' } });
  expect(plan).toMatchObject({ structuredContent: { data: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } } });
  const refused = await client.callTool({ name: 'plan_install', arguments: { product: 999 } });
  expect(refused).toMatchObject({ isError: true });
};

describe('the SDK’s clients with a key in a static header', () => {
  test('the client of the 2025 era initializes, lists and calls', async () => {
    const client = new Client2025(ABOUT);
    const transport = new Transport2025(address(), { requestInit: { headers: headers() } });
    await client.connect(transport as Parameters<Client2025['connect']>[0]);
    expect(transport.sessionId).toEqual(expect.any(String));
    await expectAll(client);
    await transport.terminateSession();
    await client.close();
  });

  test.each([
    ['2025-11-25', { mode: 'legacy' }],
    ['2026-07-28', { mode: 'auto' }],
    ['2026-07-28', { mode: { pin: '2026-07-28' } }],
  ] as const)('the 2.x client speaks %s as %j', async (revision, versionNegotiation) => {
    const client = new Client(ABOUT, { versionNegotiation });
    await client.connect(new StreamableHTTPClientTransport(address(), { requestInit: { headers: headers() } }));
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    await expectAll(client);
    await client.close();
  });

  test('a wrong key ends the connection with a 401', async () => {
    const client = new Client2025(ABOUT);
    const transport = new Transport2025(address(), { requestInit: { headers: { Authorization: 'Bearer svc_none' } } });
    await expect(client.connect(transport as Parameters<Client2025['connect']>[0])).rejects.toThrow(/401|invalid/);
  });
});

/** Runs a Node program with its own home, so that it neither reads nor leaves anything of the user's. */
const run = (program: string, args: readonly string[]): Promise<{ code: number; out: string; err: string }> =>
  new Promise((resolve) => {
    const env = { ...process.env, HOME: home, NO_COLOR: '1' };
    execFile(process.execPath, [program, ...args], { env, maxBuffer: 16 * 1024 * 1024 }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });

describe('the MCP Inspector', () => {
  const inspect = (...args: string[]) => {
    const server = ['--server-url', address().href, '--transport', 'http', '--header', `Authorization: Bearer ${key}`];
    return run(INSPECTOR, ['--cli', ...server, '--stored-auth-only', '--format', 'json', ...args]);
  };

  test.each([
    'legacy',
    'modern',
  ])('the Inspector’s command line finds no fault in the tools, in the %s era', async (era) => {
    const { code, out, err } = await inspect('--method', 'tools/list', '--strict', '--protocol-era', era);
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out).result?.tools ?? JSON.parse(out).tools).toHaveLength(TOOL_COUNT);
  });

  test('the Inspector’s command line calls a tool', async () => {
    const args = ['--tool-name', 'show_product', '--tool-args-json', JSON.stringify({ product: TOOL })];
    const { code, out } = await inspect('--method', 'tools/call', ...args);
    expect([code, out]).toEqual([0, expect.stringContaining('Sums files.')]);
  });
});

describe('mcp-remote', () => {
  test('a stdio client reaches the server through mcp-remote with a header', async () => {
    const args = [
      MCP_REMOTE,
      address().href,
      '--allow-http',
      '--transport',
      'http-only',
      '--header',
      `Authorization: Bearer ${key}`,
    ];
    const env = { PATH: process.env['PATH'] ?? '', HOME: home, MCP_REMOTE_CONFIG_DIR: join(home, 'mcp-remote') };
    const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' });
    const client = new Client2025(ABOUT);
    await client.connect(transport);
    await expectAll(client);
    await client.close();
  });
});
