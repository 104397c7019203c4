import { valueIn } from '../../application/shared/settled.ts';
import { refuse } from '../../domain/shared/outcome.ts';
import type { Respond } from '../host/host.ts';
import { isCostly, type JsonBodies } from '../host/json-bodies.ts';
import { localeOf } from '../host/locale.ts';
import { answeredTo, limitedReply, type Reply, refusalReply, withRate } from '../host/reply.ts';
import type { HostRequest } from '../host/request.ts';
import { DEFAULT_BODY_BYTES } from '../host/request-body.ts';
import { type AdmissionParts, type Admitted, admission, isSignedIn, scopesOf } from './admission.ts';
import { challenged } from './challenge.ts';
import { directCall, directReply } from './direct-call.ts';
import { foreignTo } from './foreign.ts';
import { idOf, RPC, rpcError } from './json-rpc.ts';
import { readMessage } from './message.ts';
import { answerMessage, type Told, type Worked } from './protocol.ts';
import type { Tool } from './tool.ts';
import { Toolbox } from './toolbox.ts';

export type McpOptions = AdmissionParts &
  Told & {
    readonly tools: readonly Tool[];
    readonly jsonBodies: JsonBodies;
    /** The public addresses under which the endpoint may be called. */
    readonly urls: readonly string[];
    /** Further origins whose pages may call it. */
    readonly openTo?: readonly string[] | undefined;
  };

const calledTool = (message: unknown): string | undefined => {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } };
  return method === 'tools/call' && typeof params?.name === 'string' ? params.name : undefined;
};

/**
 * The endpoint of MCP (Streamable HTTP, revisions 2025-11-25 and 2026-07-28). Each request is answered by one JSON
 * document, and nothing is kept between requests. The caller is identified once; each request counts once against the
 * rate limit. The same handler serves every MCP endpoint of the service.
 */
export const mcpHandler = (options: McpOptions): Respond => {
  const { endpoint, info, jsonBodies, urls, metadataUrl } = options;
  const all = new Toolbox(options.tools);
  const isForeign = foreignTo(urls, options.openTo);
  const admit = admission(options);

  /** The reply to a signed-in caller who has to ask the account's owner for one more permission (MCP, step-up). */
  const stepUp = (tool: Tool, { principal }: Admitted): Reply | undefined => {
    const lacked = tool.lacks(principal);
    if (lacked === undefined || !isSignedIn(principal)) return undefined;
    const message = `This sign-in lacks the permission ${lacked}; ask the account's owner for it.`;
    const scopes = [...new Set([...scopesOf(principal), lacked])];
    const reply = refusalReply(refuse('missing_api_key_ability', { message }));
    return challenged(reply, { error: 'insufficient_scope', scopes, metadataUrl });
  };

  const answer = async (request: HostRequest, admitted: Admitted, requestId: string): Promise<Worked> => {
    const { principal, counted } = admitted;
    const { headers, address } = request;
    const caller = { principal, address, counted };
    const tools = all.wanted(request.query);
    if (typeof tools === 'string') return { reply: rpcError(400, RPC.invalidRequest, tools) };
    if (isCostly(request)) {
      const rate = valueIn(await counted.verdict);
      if (!rate.allowed) return { reply: limitedReply(rate) };
    }
    const read = await readMessage(jsonBodies, request, tools.limitFor(principal, request.length), caller);
    if ('reply' in read) return read;
    const { message, bytes } = read;
    const named = tools.named(calledTool(message) ?? '');
    const tool = named?.permits(principal) ? named : undefined;
    const limit = tool?.bodyLimit ?? DEFAULT_BODY_BYTES;
    if (bytes > limit) return { reply: rpcError(413, RPC.invalidRequest, tooLong(limit), idOf(message)) };
    const refused = named && !tool ? stepUp(named, admitted) : undefined;
    if (refused) return { reply: refused };
    const context = { ...caller, locale: localeOf(headers['accept-language']), requestId };
    const direct = tool && directCall(message, headers);
    if (!direct) return answerMessage(options, request, { message, tools: tools.for(principal), context });
    const called = await tool.call(direct.args, context);
    return { reply: directReply(direct, called, info), called };
  };

  return async (request, _params, requestId) => {
    if (isForeign(request.headers)) return refusalReply(refuse('foreign_origin'));
    const admitted = await admit(request);
    if ('reply' in admitted) return admitted.reply;
    const { reply, called } = await answer(request, admitted, requestId);
    const rate = called?.rate ?? valueIn(await admitted.counted.verdict);
    const used = await admitted.using;
    const faults = [...(called?.faults ?? []), ...(used && 'fault' in used ? [used.fault] : [])];
    return {
      ...(rate.allowed ? withRate(reply, rate) : limitedReply(rate)),
      answered: called?.answered ?? answeredTo(endpoint, admitted.principal, rate.allowed ? null : 'rate_limited'),
      ...(faults.length > 0 && { faults }),
    };
  };
};

const tooLong = (limit: number): string => `This message may have ${limit} bytes at most.`;
