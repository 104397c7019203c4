import { randomUUID } from 'node:crypto';
import {
  classifyInboundRequest,
  type JSONRPCMessage,
  ProtocolError,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import type { Reply } from '../host/reply.ts';
import type { HostRequest } from '../host/request.ts';
import { exchange2025, exchange2026 } from './exchange.ts';
import { idOf, RPC, rpcError } from './json-rpc.ts';
import type { ResourceSource, Sought } from './resource.ts';
import { type Answers, REVISION_2026, REVISIONS_2025, type ServerInfo, serverOf } from './server.ts';
import type { CallFacts, Tool, ToolContext } from './tool.ts';

/** A message for the protocol, and the tools that its sender may call. */
export type Work = { readonly message: unknown; readonly tools: readonly Tool[]; readonly context: ToolContext };

/** The reply to a message, and the facts of the call that was made for it. */
export type Worked = { readonly reply: Reply; readonly called?: CallFacts | undefined };

/** The description of a server, and the resources that it has beside its tools. */
export type Told = {
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
const resultOf = <R>(ended: Sought<R>, uri = ''): R => {
  if ('result' in ended) return ended.result;
  if ('missing' in ended) throw new ResourceNotFoundError(uri.slice(0, 300), ended.missing);
  if ('invalid' in ended) throw new ProtocolError(RPC.invalidParams, ended.invalid);
  throw new ProtocolError(RPC.internalError, 'fault' in ended ? ended.fault : 'This reply goes out as it is.');
};

/** The resources of a server for one message. `keep` sees the end of each request for them. */
const seeking = (
  { templates, list, read }: ResourceSource,
  context: ToolContext,
  keep: <R>(ended: Sought<R>) => Sought<R>,
): Answers['resources'] => ({
  templates,
  list: async (cursor) => resultOf(keep(await list(cursor, context))),
  read: async (uri) => resultOf(keep(await read(uri, context)), uri),
});

/** Lets the protocol's own implementation answer one message, in the revision that it was sent in. */
export const answerMessage = async (
  told: Told,
  request: HostRequest,
  { message, tools, context }: Work,
): Promise<Worked> => {
  const kind = classified(request, message);
  const refused = (status: number, code: number, text: string, data?: unknown): Worked => ({
    reply: rpcError(status, code, text, idOf(message), data),
  });
  if (kind.kind === 'reject') return refused(kind.httpStatus, kind.code, kind.message, kind.data);
  let called: Sought<unknown> | undefined;
  const kept = <R>(ended: Sought<R>): Sought<R> => {
    called = ended;
    return ended;
  };
  const server = serverOf(told, {
    tools,
    call: async (tool, args) => resultOf(kept(await tool.call(args, context))),
    resources: told.resources && seeking(told.resources, context, kept),
  });
  const worked = (reply: Reply): Worked => ({ reply: called && 'reply' in called ? called.reply : reply, called });
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
