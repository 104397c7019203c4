import { ProtocolError, Server } from '@modelcontextprotocol/server';
import { RPC } from './json-rpc.ts';
import type { ListResourcesResult, ReadResourceResult, Template } from './resource.ts';
import type { CallToolResult, Tool } from './tool.ts';

/** The revisions of MCP that are served. The last revisions before 2025-11-25 differ in nothing that these tools use. */
export const REVISIONS_2025: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26'];
export const REVISION_2026 = '2026-07-28';

export type ServerInfo = { readonly name: string; readonly title: string; readonly version: string };

/** Milliseconds for which a client may keep a list. Tools change with a deployment or a new permission. */
const LIST_HINT = { ttlMs: 60_000, cacheScope: 'private' } as const;

/** The arguments are checked by the endpoint itself, whose sentences agents understand. */
const unused = {
  getValidator: () => {
    throw new Error('No schema is compiled here.');
  },
};

/** The answers of a server to the messages that ask for something. */
export type Answers = {
  /** The tools in their order, on one page. */
  readonly tools: readonly Tool[];
  readonly call: (tool: Tool, args: Readonly<Record<string, unknown>>) => Promise<CallToolResult>;
  /** Undefined for a server that has no resources, and does not say that it has. */
  readonly resources?:
    | {
        readonly templates: readonly Template[];
        readonly list: (cursor: string | undefined) => Promise<ListResourcesResult>;
        readonly read: (uri: string) => Promise<ReadResourceResult>;
      }
    | undefined;
};

/** A server of the protocol for one message. */
export const serverOf = (
  { info, instructions }: { readonly info: ServerInfo; readonly instructions: string },
  { tools, call, resources }: Answers,
): Server => {
  const server = new Server(info, {
    capabilities: { tools: {}, ...(resources && { resources: {} }) },
    instructions,
    supportedProtocolVersions: [...REVISIONS_2025, REVISION_2026],
    jsonSchemaValidator: unused,
    cacheHints: { 'tools/list': LIST_HINT, 'resources/list': LIST_HINT, 'resources/templates/list': LIST_HINT },
  });
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(({ listing }) => listing) }));
  server.setRequestHandler('tools/call', ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw new ProtocolError(RPC.invalidParams, `Unknown tool: ${params.name.slice(0, 100)}`);
    return call(tool, params.arguments ?? {});
  });
  if (!resources) return server;
  server.setRequestHandler('resources/list', ({ params }) => resources.list(params?.cursor));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [...resources.templates] }));
  server.setRequestHandler('resources/read', ({ params }) => resources.read(params.uri));
  return server;
};
