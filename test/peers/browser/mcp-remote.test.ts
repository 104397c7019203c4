import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, onTestFinished, test, vi } from 'vitest';
import { en } from '../../../adapters/web/account/messages/en.ts';
import { aServer } from '../../sign-in/a-server.ts';
import { openSignedIn } from './support/account-walk.ts';
import { aChromium, textOf } from './support/chromium.ts';

/* Agents that speak only over standard input and output reach the service through mcp-remote, as documented. */

const MCP_REMOTE = 'test/peers/node_modules/mcp-remote/dist/proxy.js';

const aVisitor = aChromium();

test('mcp-remote signs in by the browser and forwards its agent’s calls', async () => {
  const { urls } = await aServer();
  const memory = mkdtempSync(join(tmpdir(), 'mcp-remote-'));
  onTestFinished(() => rmSync(memory, { recursive: true, force: true }));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MCP_REMOTE, `${urls.api}/api/mcp`],
    // The browser that it would open does nothing: the test's browser uses the URL that it prints.
    env: { MCP_REMOTE_CONFIG_DIR: memory, BROWSER: 'true' },
    stderr: 'pipe',
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  onTestFinished(() => client.close());
  let said = '';
  transport.stderr?.on('data', (part) => (said += String(part)));
  const connecting = client.connect(transport);
  const address = new RegExp(`${urls.account}/oauth/authorize\\?\\S+(?=\\s)`);
  const written = () => address.exec(said)?.[0];
  const authorization = await Promise.race([vi.waitUntil(written, { timeout: 20_000 }), connecting]);
  if (!authorization) throw new Error(`mcp-remote connected without a sign-in:\n${said}`);

  const { page } = await aVisitor();
  await openSignedIn(page, authorization);
  expect(await textOf(page, '.facts')).toContain('localhost');
  await page.click(`button:text-is("${en.consent.allow}")`);
  // It closes its listener when it has the code, so the browser may not receive the whole response.
  await connecting;
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('list_library');
  const library = await client.callTool({ name: 'list_library', arguments: {} });
  expect(library.structuredContent).toMatchObject({ items: expect.any(Array) });
});
