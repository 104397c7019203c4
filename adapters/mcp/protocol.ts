import { randomUUID } from 'node:crypto';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  classifyInboundRequest,
  createMcpHandler,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ResourceNotFoundError,
  SERVER_INFO_META_KEY,
  Server,
  type Transport,
} from '@modelcontextprotocol/server';
import { jsonReply, NO_STORE, type Reply, wholeReply } from '../host/reply.ts';
import type { HostHeaders, HostRequest } from '../host/request.ts';
import type {
  CallFacts,
  CallToolResult,
  FinishedCall,
  ListResourcesResult,
  ReadResourceResult,
  ResourceEnd,
  ResourceSource,
  Template,
  Tool,
  ToolContext,
} from './tool.ts';

/** Error codes of JSON-RPC 2.0, section 5.1. */
export const RPC = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
} as const;

export type RpcId = string | number | null;

/**
 * The id of an unvalidated message; null if it has none that an answer could repeat. MCP allows strings and integers;
 * an answer with any other id would violate the documented schema.
 */
export const idOf = (message: unknown): RpcId => {
  const id = typeof message === 'object' && message !== null ? (message as { id?: unknown }).id : null;
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as RpcId) : null;
};

export const rpcError = (status: number, code: number, message: string, id: RpcId = null, data?: unknown): Reply =>
  jsonReply(
    status,
    { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } },
    { 'cache-control': NO_STORE },
  );

/** The supported revisions of MCP before 2026. The two before 2025-11-25 differ in nothing that these tools use. */
export const REVISIONS_2025: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26'];
export const REVISION_2026 = '2026-07-28';

export type ServerInfo = { readonly name: string; readonly title: string; readonly version: string };

/** Milliseconds for which a client may cache a list. Tools change with a deployment or a new permission. */
const LIST_HINT = { ttlMs: 60_000, cacheScope: 'private' } as const;

/** The endpoint itself validates the arguments, with messages that agents understand. */
const unused = {
  getValidator: () => {
    throw new Error('No schema is compiled here.');
  },
};

/** The server's answers to the messages that expect one. */
export type Answers = {
  /** The tools in order, on a single page. */
  readonly tools: readonly Tool[];
  readonly call: (tool: Tool, args: Readonly<Record<string, unknown>>) => Promise<CallToolResult>;
  /** Undefined for a server without resources, which then does not announce the capability. */
  readonly resources?:
    | {
        readonly templates: readonly Template[];
        readonly list: (cursor: string | undefined) => Promise<ListResourcesResult>;
        readonly read: (uri: string) => Promise<ReadResourceResult>;
      }
    | undefined;
};

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

class OneMessage implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  readonly #reply = Promise.withResolvers<JSONRPCMessage>();

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    // Notifications are dropped: the reply to a request is one JSON document.
    if (!('method' in message)) this.#reply.resolve(message);
  }

  async close(): Promise<void> {
    this.onclose?.();
  }

  exchange(message: JSONRPCMessage): Promise<JSONRPCMessage> {
    this.onmessage?.(message);
    return this.#reply.promise;
  }
}

/** Passes a request of a revision up to 2025-11-25 to the server, and returns its reply. */
const exchange2025 = async (server: Server, message: JSONRPCMessage): Promise<Reply> => {
  const transport = new OneMessage();
  await server.connect(transport);
  try {
    return jsonReply(200, await transport.exchange(message), { 'cache-control': NO_STORE });
  } finally {
    await server.close();
  }
};

/** The headers that revision 2026-07-28 compares with the message. */
const COMPARED = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const;

/** Passes a request of revision 2026-07-28 to the server, and returns its reply. */
const exchange2026 = async (server: Server, message: unknown, request: HostRequest): Promise<Reply> => {
  const headers = new Headers({ 'content-type': 'application/json' });
  for (const name of COMPARED) {
    const value = request.headers[name];
    if (value !== undefined) headers.set(name, value);
  }
  const handler = createMcpHandler(() => server, { legacy: 'reject' });
  const response = await handler.fetch(new Request('http://mcp/', { method: 'POST', headers }), {
    parsedBody: message,
  });
  const text = await response.text();
  if (text === '') return { status: response.status, headers: { 'content-length': '0' }, body: null };
  return wholeReply(response.status, 'application/json; charset=utf-8', text, { 'cache-control': NO_STORE });
};

/** A message, and the tools that its sender may call. */
export type McpMessage = { readonly message: unknown; readonly tools: readonly Tool[]; readonly context: ToolContext };

/** The reply to a message, and the facts of the call that it made. */
export type McpReply = { readonly reply: Reply; readonly called?: CallFacts | undefined };

/** The description of a server, and its resources in addition to tools. */
export type ServerDescription = {
  readonly info: ServerInfo;
  /** Tells an agent how to combine the tools. */
  readonly instructions: string;
  readonly resources?: ResourceSource | undefined;
};

const ACCEPTED: Reply = { status: 202, headers: { 'content-length': '0' }, body: null };

const NOTHING_TO_HEAR = 'Nothing here changes by itself; there is nothing to listen to.';

const unknownVersion = (version: string): string =>
  `The protocol version "${version.slice(0, 40)}" is unknown; this server speaks ${[REVISION_2026, ...REVISIONS_2025].join(', ')}.`;

/** The session id authenticates nothing and later requests do not need it; older clients expect one. */
const withSession = (reply: Reply): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'mcp-session-id': randomUUID() },
});

const classified = ({ headers }: HostRequest, body: unknown) => {
  const { 'mcp-protocol-version': version, 'mcp-method': method, 'mcp-name': name } = headers;
  return classifyInboundRequest({
    httpMethod: 'POST',
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(method !== undefined && { mcpMethodHeader: method }),
    ...(name !== undefined && { mcpNameHeader: name }),
    body,
  });
};

/** The result of a call for the server. Throws the error for a call that failed. */
const resultOf = <R>(ended: ResourceEnd<R>, uri = ''): R => {
  if ('result' in ended) return ended.result;
  if ('missing' in ended) throw new ResourceNotFoundError(uri.slice(0, 300), ended.missing);
  if ('invalid' in ended) throw new ProtocolError(RPC.invalidParams, ended.invalid);
  throw new ProtocolError(RPC.internalError, 'fault' in ended ? ended.fault : 'This reply goes out as it is.');
};

/** The resource methods of a server for one message. `keep` receives the end of each request. */
const seeking = (
  { templates, list, read }: ResourceSource,
  context: ToolContext,
  keep: <R>(ended: ResourceEnd<R>) => ResourceEnd<R>,
): Answers['resources'] => ({
  templates,
  list: async (cursor) => resultOf(keep(await list(cursor, context))),
  read: async (uri) => resultOf(keep(await read(uri, context)), uri),
});

/** Lets the SDK answer one message, in the revision of its sender. */
export const answerMessage = async (
  description: ServerDescription,
  request: HostRequest,
  { message, tools, context }: McpMessage,
): Promise<McpReply> => {
  const kind = classified(request, message);
  const refused = (status: number, code: number, text: string, data?: unknown): McpReply => ({
    reply: rpcError(status, code, text, idOf(message), data),
  });
  if (kind.kind === 'reject') return refused(kind.httpStatus, kind.code, kind.message, kind.data);
  let called: ResourceEnd<unknown> | undefined;
  const noted = <R>(ended: ResourceEnd<R>): ResourceEnd<R> => {
    called = ended;
    return ended;
  };
  const server = serverOf(description, {
    tools,
    call: async (tool, args) => resultOf(noted(await tool.call(args, context))),
    resources: description.resources && seeking(description.resources, context, noted),
  });
  const worked = (reply: Reply): McpReply => ({ reply: called && 'reply' in called ? called.reply : reply, called });
  if (kind.kind === 'modern') {
    const isListening = (message as { method?: unknown }).method === 'subscriptions/listen';
    if (isListening) return refused(404, RPC.methodNotFound, NOTHING_TO_HEAR);
    return worked(await exchange2026(server, message, request));
  }
  const version = request.headers['mcp-protocol-version'];
  if (kind.reason === 'initialize') return worked(withSession(await exchange2025(server, message as JSONRPCMessage)));
  if (version !== undefined && !REVISIONS_2025.includes(version)) {
    return refused(400, RPC.invalidRequest, unknownVersion(version));
  }
  if (kind.reason === 'notification' || kind.reason === 'response') return { reply: ACCEPTED };
  return worked(await exchange2025(server, message as JSONRPCMessage));
};

/** A tool call whose message and headers are plainly valid. */
export type DirectCall = {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly id: string | number;
  readonly revision: '2025' | '2026';
};

type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): boolean => typeof value === 'string';

/** True if the sender identifies itself as revision 2026-07-28 requires, and the headers match the message. */
const isOf2026 = (meta: Json, name: string, headers: HostHeaders): boolean => {
  const [info, abilities] = [meta[CLIENT_INFO_META_KEY], meta[CLIENT_CAPABILITIES_META_KEY]];
  return (
    meta[PROTOCOL_VERSION_META_KEY] === REVISION_2026 &&
    headers['mcp-protocol-version'] === REVISION_2026 &&
    headers['mcp-method'] === 'tools/call' &&
    headers['mcp-name'] === name &&
    isObject(abilities) &&
    Object.values(abilities).every(isObject) &&
    (info === undefined || (isObject(info) && isText(info['name']) && isText(info['version'])))
  );
};

/** True if neither the message nor the headers mention a later revision. */
const isOf2025 = (meta: Json, headers: HostHeaders): boolean => {
  const version = headers['mcp-protocol-version'];
  return (
    (version === undefined || REVISIONS_2025.includes(version)) &&
    !Object.keys(meta).some((key) => key.startsWith('io.modelcontextprotocol/'))
  );
};

/**
 * The call in a message that needs nothing else of the protocol; undefined for every other message. Such a call is
 * framed here, because creating a server and a transport for each message costs more than most tools do. Every message
 * that is not plainly valid goes to the SDK, which knows all protocol errors.
 */
export const directCall = (message: unknown, headers: HostHeaders): DirectCall | undefined => {
  if (!isObject(message) || message['jsonrpc'] !== '2.0' || message['method'] !== 'tools/call') return undefined;
  const { id, params } = message;
  if (!(typeof id === 'string' || Number.isSafeInteger(id)) || !isObject(params)) return undefined;
  const { name, arguments: args = {}, _meta: meta = {}, ...more } = params;
  if (typeof name !== 'string' || !isObject(args) || !isObject(meta) || Object.keys(more).length > 0) return undefined;
  const call = { name, args, id: id as string | number };
  if (isOf2026(meta, name, headers)) return { ...call, revision: '2026' };
  return isOf2025(meta, headers) ? { ...call, revision: '2025' } : undefined;
};

/** The fields that revision 2026-07-28 adds to a result, as JSON that follows other fields. */
const endOf2026 = (info: ServerInfo): string =>
  `,"resultType":"complete","_meta":${JSON.stringify({ [SERVER_INFO_META_KEY]: info })}}`;

export const directReply = ({ id, revision }: DirectCall, called: FinishedCall, info: ServerInfo): Reply => {
  if ('reply' in called) return called.reply;
  if ('fault' in called) return rpcError(200, RPC.internalError, called.fault, id);
  const { result, json } = called;
  const start =
    json === undefined
      ? JSON.stringify(result).slice(0, -1)
      : `{"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json}`;
  const end = revision === '2025' ? '}' : endOf2026(info);
  const body = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${start}${end}}`;
  return wholeReply(200, 'application/json; charset=utf-8', body, { 'cache-control': NO_STORE });
};
