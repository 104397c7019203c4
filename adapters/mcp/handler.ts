import { randomUUID } from 'node:crypto';
import { classifyInboundRequest, type JSONRPCMessage, ProtocolError } from '@modelcontextprotocol/server';
import { refuse } from '../../domain/shared/outcome.ts';
import type { Respond } from '../host/host.ts';
import { localeOf } from '../host/locale.ts';
import { type Reply, refusalReply } from '../host/reply.ts';
import type { HostRequest } from '../host/request.ts';
import { DEFAULT_BODY_BYTES } from '../host/request-body.ts';
import {
  type AdmissionParts,
  type Admitted,
  admission,
  isSignedIn,
  limitedReply,
  scopesOf,
  withRate,
} from './admission.ts';
import { challenged } from './challenge.ts';
import { directCall, directReply } from './direct-call.ts';
import { exchange2025, exchange2026 } from './exchange.ts';
import { foreignTo } from './foreign.ts';
import { idOf, RPC, rpcError } from './json-rpc.ts';
import { readMessage } from './message.ts';
import { REVISIONS_2025, type ServerInfo, serverOf } from './server.ts';
import type { Called, Tool, ToolContext } from './tool.ts';
import { wantedTools } from './wanted-tools.ts';

export type McpOptions = AdmissionParts & {
  readonly info: ServerInfo;
  /** Tells an agent how the tools go together. */
  readonly instructions: string;
  readonly tools: readonly Tool[];
  /** The public addresses under which the endpoint may be called. */
  readonly urls: readonly string[];
};

/** A message for the protocol, and the tools that its sender may call. */
type Work = { readonly message: unknown; readonly tools: readonly Tool[]; readonly context: ToolContext };

/** The reply to a message, and the call that was made for it. */
type Worked = { readonly reply: Reply; readonly called?: Called | undefined };

const calledTool = (message: unknown): string | undefined => {
  const { method, params } = message as { method?: unknown; params?: { name?: unknown } };
  return method === 'tools/call' && typeof params?.name === 'string' ? params.name : undefined;
};

const ACCEPTED: Reply = { status: 202, headers: { 'content-length': '0' }, body: null };

/**
 * The endpoint of MCP (Streamable HTTP, revisions 2025-11-25 and 2026-07-28). Each request is answered by one JSON
 * document, and nothing is kept between requests. The caller is identified once; each request counts once against the
 * rate limit. The same handler serves every MCP endpoint of the service.
 */
export const mcpHandler = (options: McpOptions): Respond => {
  const { endpoint, tools, urls, metadataUrl } = options;
  const isForeign = foreignTo(urls);
  const admit = admission(options);

  /** The reply to a signed-in caller who has to ask the account's owner for one more permission (MCP, step-up). */
  const stepUp = (tool: Tool | undefined, { principal }: Admitted): Reply | undefined => {
    const lacked = tool?.lacks(principal);
    if (lacked === undefined || !isSignedIn(principal)) return undefined;
    const message = `This sign-in lacks the permission ${lacked}; ask the account's owner for it.`;
    const scopes = [...new Set([...scopesOf(principal), lacked])];
    const reply = refusalReply(refuse('missing_api_key_ability', { message }));
    return challenged(reply, { error: 'insufficient_scope', scopes, metadataUrl });
  };

  const answer = async (request: HostRequest, admitted: Admitted, requestId: string): Promise<Worked> => {
    const wanted = wantedTools(request.query, tools);
    if (typeof wanted === 'string') return { reply: rpcError(400, RPC.invalidRequest, wanted) };
    const allowed = wanted.filter((tool) => tool.permits(admitted.principal));
    const limit = allowed.reduce((most, { bodyLimit }) => Math.max(most, bodyLimit), DEFAULT_BODY_BYTES);
    const read = await readMessage(request, limit);
    if ('reply' in read) return read;
    const { message, bytes } = read;
    const name = typeof message === 'object' && message !== null ? calledTool(message) : undefined;
    const tool = allowed.find((one) => one.name === name);
    const most = tool?.bodyLimit ?? DEFAULT_BODY_BYTES;
    if (bytes > most) {
      return {
        reply: rpcError(413, RPC.invalidRequest, `This message may have ${most} bytes at most.`, idOf(message)),
      };
    }
    const refused =
      name !== undefined && !tool
        ? stepUp(
            wanted.find((one) => one.name === name),
            admitted,
          )
        : undefined;
    if (refused) return { reply: refused };
    const { headers, address } = request;
    const locale = localeOf(headers['accept-language']);
    const context = { principal: admitted.principal, address, locale, requestId };
    return work(options, request, { message, tools: allowed, context });
  };

  return async (request, _params, requestId) => {
    if (isForeign(request.headers)) return refusalReply(refuse('foreign_origin'));
    const admitted = await admit(request);
    if ('reply' in admitted) return admitted.reply;
    const { reply, called } = await answer(request, admitted, requestId);
    const rate = called?.rate ?? (await admitted.count());
    const used = await admitted.using;
    const faults = [...(called?.faults ?? []), ...(used && 'fault' in used ? [used.fault] : [])];
    const { principal } = admitted;
    const accountId = principal.kind === 'account' ? principal.account_id : null;
    return {
      ...(rate.allowed ? withRate(reply, rate) : limitedReply(rate)),
      answered: called?.answered ?? { endpoint: endpoint.id, accountId, code: null },
      ...(faults.length > 0 && { faults }),
    };
  };
};

/** Lets the protocol answer one message. */
const work = async (options: McpOptions, request: HostRequest, { message, tools, context }: Work): Promise<Worked> => {
  const { headers } = request;
  const version = headers['mcp-protocol-version'];
  const kind = classifyInboundRequest({
    httpMethod: 'POST',
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(headers['mcp-method'] !== undefined && { mcpMethodHeader: headers['mcp-method'] }),
    ...(headers['mcp-name'] !== undefined && { mcpNameHeader: headers['mcp-name'] }),
    body: message,
  });
  if (kind.kind === 'reject')
    return { reply: rpcError(kind.httpStatus, kind.code, kind.message, idOf(message), kind.data) };
  if (
    kind.kind === 'legacy' &&
    kind.reason !== 'initialize' &&
    version !== undefined &&
    !REVISIONS_2025.includes(version)
  ) {
    return { reply: rpcError(400, RPC.invalidRequest, unknownVersion(version), idOf(message)) };
  }
  const direct = directCall(kind, message, tools, headers);
  if (direct) {
    const called = await direct.tool.call(direct.args, context);
    return { reply: directReply(direct, called, options.info), called };
  }
  let called: Called | undefined;
  const server = serverOf(options, tools, async (tool, args) => {
    called = await tool.call(args, context);
    if ('result' in called) return called.result;
    if ('reply' in called) return { content: [] };
    throw new ProtocolError(RPC.internalError, called.fault);
  });
  const worked = (reply: Reply): Worked => ({
    reply: called && 'reply' in called ? { ...called.reply } : reply,
    called,
  });
  if (kind.kind === 'modern') {
    const { method } = message as { method: string };
    if (method === 'subscriptions/listen') {
      return {
        reply: rpcError(
          404,
          RPC.methodNotFound,
          'Nothing here changes by itself; there is nothing to listen to.',
          idOf(message),
        ),
      };
    }
    return worked(await exchange2026(server, message, request));
  }
  const isInitialize = kind.reason === 'initialize';
  if (kind.reason === 'notification' || kind.reason === 'response') return { reply: ACCEPTED };
  const reply = await exchange2025(server, message as JSONRPCMessage);
  return worked(isInitialize ? withSession(reply) : reply);
};

const unknownVersion = (version: string): string =>
  `The protocol version "${version.slice(0, 40)}" is unknown; this server speaks ${['2026-07-28', ...REVISIONS_2025].join(', ')}.`;

/** The session id authenticates nothing, and no later request needs it; older clients expect one. */
const withSession = (reply: Reply): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'mcp-session-id': randomUUID() },
});
