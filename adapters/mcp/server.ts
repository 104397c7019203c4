import { ProtocolError, Server } from '@modelcontextprotocol/server';
import { RPC } from './json-rpc.ts';
import type { CallToolResult, Tool } from './tool.ts';

/** The revisions of MCP that are served. The last revisions before 2025-11-25 differ in nothing that these tools use. */
export const REVISIONS_2025: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26'];
export const REVISION_2026 = '2026-07-28';

export type ServerInfo = { readonly name: string; readonly title: string; readonly version: string };

/** Milliseconds for which a client may keep the list of tools. It changes with a deployment or a new permission. */
const LIST_TTL_MS = 60_000;

/** The arguments are checked by the endpoint itself, whose sentences agents understand. */
const unused = {
  getValidator: () => {
    throw new Error('No schema is compiled here.');
  },
};

/**
 * A server of the protocol for one message: with these tools, in this order, on one page. `call` gives the result of a
 * tool.
 */
export const serverOf = (
  { info, instructions }: { readonly info: ServerInfo; readonly instructions: string },
  tools: readonly Tool[],
  call: (tool: Tool, args: Readonly<Record<string, unknown>>) => Promise<CallToolResult>,
): Server => {
  const server = new Server(info, {
    capabilities: { tools: {} },
    instructions,
    supportedProtocolVersions: [...REVISIONS_2025, REVISION_2026],
    jsonSchemaValidator: unused,
    cacheHints: { 'tools/list': { ttlMs: LIST_TTL_MS, cacheScope: 'private' } },
  });
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(({ listing }) => listing) }));
  server.setRequestHandler('tools/call', ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw new ProtocolError(RPC.invalidParams, `Unknown tool: ${params.name.slice(0, 100)}`);
    return call(tool, params.arguments ?? {});
  });
  return server;
};
