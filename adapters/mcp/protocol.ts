import { randomUUID } from 'node:crypto';
import {
  classifyInboundRequest,
  createMcpHandler,
  type JSONRPCMessage,
  ProtocolError,
  ResourceNotFoundError,
  type Server,
  type Transport,
} from '@modelcontextprotocol/server';
import { jsonReply, NO_STORE, type Reply, wholeReply } from '../host/reply.ts';
import type { HostRequest } from '../host/request.ts';
import { idOf, RPC, rpcError } from './json-rpc.ts';
import type { ResourceEnd, ResourceSource } from './resource.ts';
import { type Answers, REVISION_2026, REVISIONS_2025, type ServerInfo, serverOf } from './server.ts';
import type { CallFacts, Tool, ToolContext } from './tool.ts';

/** The transport of one message and its one reply. */
class OneMessage implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  readonly #reply = Promise.withResolvers<JSONRPCMessage>();

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    // A notification beside the reply has nowhere to go: a request gets one JSON document.
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

/** Gives a request of the revisions up to 2025-11-25 to the server, and returns its reply. */
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

/** Gives a request of revision 2026-07-28 to the server, and returns its reply. */
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

/** A message for the protocol, and the tools that its sender may call. */
export type McpMessage = { readonly message: unknown; readonly tools: readonly Tool[]; readonly context: ToolContext };

/** The reply to a message, and the facts of the call that was made for it. */
export type McpReply = { readonly reply: Reply; readonly called?: CallFacts | undefined };

/** The description of a server, and the resources that it has beside its tools. */
export type ServerDescription = {
  readonly info: ServerInfo;
  /** Tells an agent how the tools go together. */
  readonly instructions: string;
  readonly resources?: ResourceSource | undefined;
};

const ACCEPTED: Reply = { status: 202, headers: { 'content-length': '0' }, body: null };

const NOTHING_TO_HEAR = 'Nothing here changes by itself; there is nothing to listen to.';

const unknownVersion = (version: string): string =>
  `The protocol version "${version.slice(0, 40)}" is unknown; this server speaks ${[REVISION_2026, ...REVISIONS_2025].join(', ')}.`;

/** The session id authenticates nothing, and no later request needs it; older clients expect one. */
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

/** The result of a call for the server, or the error that its message is answered with. */
const resultOf = <R>(ended: ResourceEnd<R>, uri = ''): R => {
  if ('result' in ended) return ended.result;
  if ('missing' in ended) throw new ResourceNotFoundError(uri.slice(0, 300), ended.missing);
  if ('invalid' in ended) throw new ProtocolError(RPC.invalidParams, ended.invalid);
  throw new ProtocolError(RPC.internalError, 'fault' in ended ? ended.fault : 'This reply goes out as it is.');
};

/** The resources of a server for one message. `keep` sees the end of each request for them. */
const seeking = (
  { templates, list, read }: ResourceSource,
  context: ToolContext,
  keep: <R>(ended: ResourceEnd<R>) => ResourceEnd<R>,
): Answers['resources'] => ({
  templates,
  list: async (cursor) => resultOf(keep(await list(cursor, context))),
  read: async (uri) => resultOf(keep(await read(uri, context)), uri),
});

/** Lets the protocol's own implementation answer one message, in the revision that it was sent in. */
export const answerMessage = async (
  told: ServerDescription,
  request: HostRequest,
  { message, tools, context }: McpMessage,
): Promise<McpReply> => {
  const kind = classified(request, message);
  const refused = (status: number, code: number, text: string, data?: unknown): McpReply => ({
    reply: rpcError(status, code, text, idOf(message), data),
  });
  if (kind.kind === 'reject') return refused(kind.httpStatus, kind.code, kind.message, kind.data);
  let called: ResourceEnd<unknown> | undefined;
  const kept = <R>(ended: ResourceEnd<R>): ResourceEnd<R> => {
    called = ended;
    return ended;
  };
  const server = serverOf(told, {
    tools,
    call: async (tool, args) => resultOf(kept(await tool.call(args, context))),
    resources: told.resources && seeking(told.resources, context, kept),
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
