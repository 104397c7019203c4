import { parse } from 'node:querystring';
import type { Principal } from '../../domain/access/principal.ts';
import type { Owner } from '../../domain/access/rate-limit.ts';
import { LOOPBACK } from '../../domain/shared/loopback.ts';
import { refuse } from '../../domain/shared/outcome.ts';
import { DEFAULT_BODY_BYTES, isCostly, type JsonBodies } from '../host/bodies.ts';
import type { Respond } from '../host/host.ts';
import {
  answeredTo,
  limitedReply,
  type Reply,
  refusalBody,
  refusalReply,
  refusalStatus,
  withRate,
} from '../host/reply.ts';
import { type HostHeaders, type HostRequest, localeOf } from '../host/request.ts';
import { type AdmissionParts, admission, challenged, isSignedIn, type MessageSender, scopesOf } from './admission.ts';
import {
  answerMessage,
  directCall,
  directReply,
  idOf,
  isObject,
  type McpReply,
  RPC,
  rpcError,
  type ServerDescription,
} from './protocol.ts';
import type { Tool } from './tool.ts';

/** The maximum nesting of a message. Arguments of tools need a quarter of it. */
const MAX_LEVELS = 32;

const isShallow = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1)));

/** A parsed message with its size in bytes, or the reply to an invalid body. */
type ReadMessage = { readonly message: unknown; readonly bytes: number } | { readonly reply: Reply };

const invalid = (message: string): ReadMessage => ({ reply: rpcError(400, RPC.invalidRequest, message) });

/** The size of a message in bytes. If the body is compressed or has no length, the size of its JSON counts. */
const bytesOf = ({ length, headers }: HostRequest, message: unknown): number =>
  length !== undefined && headers['content-encoding'] === undefined
    ? length
    : Buffer.byteLength(JSON.stringify(message));

/** Adds a missing `jsonrpc`, and removes null parameters and arguments, which some clients send. */
const completed = (message: unknown): unknown => {
  if (!isObject(message)) return message;
  const { params, ...others } = message;
  const rest = { ...others, jsonrpc: others['jsonrpc'] ?? '2.0' };
  if (params === null || params === undefined) return rest;
  if (!isObject(params) || params['arguments'] !== null) return { ...rest, params };
  const { arguments: _, ...named } = params;
  return { ...rest, params: named };
};

/** Reads the JSON value of a request, of at most `limit` bytes after decompression. */
const readMessage = async (
  bodies: JsonBodies,
  request: HostRequest,
  limit: number,
  owner: Owner,
): Promise<ReadMessage> => {
  const read = await bodies.read(request, limit, 'application/json', owner);
  if (!read.ok) {
    if (read.code === 'unavailable') return { reply: refusalReply(read) };
    const code = read.code === 'malformed_body' ? RPC.parseError : RPC.invalidRequest;
    return { reply: rpcError(refusalStatus(read.code), code, String(refusalBody(read)['message'])) };
  }
  const message = read.value;
  if (Array.isArray(message)) return invalid('Send one message for each request; batches are not accepted.');
  if (!isShallow(message, MAX_LEVELS)) return invalid(`A message may be nested ${MAX_LEVELS} levels deep at most.`);
  return { message: completed(message), bytes: bytesOf(request, message) };
};

const MAX_QUERY = 200;

/** The tools of one URL. */
class Toolbox {
  readonly #tools: readonly Tool[];
  readonly #byName: ReadonlyMap<string, Tool>;
  readonly #largest: number;

  constructor(tools: readonly Tool[]) {
    this.#tools = tools;
    this.#byName = new Map(tools.map((tool) => [tool.name, tool]));
    this.#largest = tools.reduce((most, { bodyLimit }) => Math.max(most, bodyLimit), DEFAULT_BODY_BYTES);
  }

  get groups(): readonly string[] {
    return [...new Set(this.#tools.map(({ group }) => group))];
  }

  named(name: string): Tool | undefined {
    return this.#byName.get(name);
  }

  get tools(): readonly Tool[] {
    return this.#tools;
  }

  for(principal: Principal): readonly Tool[] {
    return this.#tools.filter((tool) => tool.permits(principal));
  }

  /** The maximum size of the caller's message in bytes. `length` is the size of this message, if it is known. */
  limitFor(principal: Principal, length: number | undefined): number {
    if (this.#largest === DEFAULT_BODY_BYTES || (length !== undefined && length <= DEFAULT_BODY_BYTES)) {
      return DEFAULT_BODY_BYTES;
    }
    return this.for(principal).reduce((most, { bodyLimit }) => Math.max(most, bodyLimit), DEFAULT_BODY_BYTES);
  }

  /**
   * The tools that the query selects: those of the groups in `?tools=library,install`, or all without it. A message if
   * a group does not exist.
   */
  selected(query: string): Toolbox | string {
    const { tools: groupNames } = query === '' ? {} : parse(query);
    const text = Array.isArray(groupNames) ? groupNames.join(',') : (groupNames ?? '');
    const names = text
      .slice(0, MAX_QUERY)
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    if (names.length === 0) return this;
    const { groups } = this;
    const wrong = names.find((name) => !groups.includes(name));
    if (wrong !== undefined) return `There is no group "${wrong.slice(0, 40)}"; ?tools= takes ${groups.join(', ')}.`;
    return new Toolbox(this.#tools.filter(({ group }) => names.includes(group)));
  }
}

const hostnameOf = (host: string): string | undefined => URL.parse(`http://${host}`)?.hostname;

/**
 * True for a request from a page of another origin, or to a host name that is not ours. With DNS rebinding a page
 * points its own name at this server, which shows in the Host header; MCP (Streamable HTTP, Security) demands both
 * checks. A missing Origin is fine, because only browsers send one. Loopback names can't be rebound, so they always
 * pass as Host; they pass as Origin if the service itself runs on this machine. The origins in `openTo` are the store's
 * own pages.
 */
export const foreignTo = (
  urls: readonly string[],
  openTo: readonly string[] = [],
): ((headers: HostHeaders) => boolean) => {
  const own = urls.map((url) => new URL(url));
  const names = new Set([...LOOPBACK, ...own.map(({ hostname }) => hostname)]);
  const hosts = new Set(own.map(({ host }) => host));
  const origins = new Set([...own.map(({ origin }) => origin), ...openTo]);
  const isOwnHost = (host: string): boolean => hosts.has(host) || names.has(hostnameOf(host) ?? '');
  const isLocal = own.some(({ hostname }) => LOOPBACK.has(hostname));
  const isOwnOrigin = (origin: string): boolean =>
    origins.has(origin) || (isLocal && LOOPBACK.has(URL.parse(origin)?.hostname ?? ''));
  return ({ host, origin }) =>
    (host !== undefined && !isOwnHost(host)) || (origin !== undefined && !isOwnOrigin(origin));
};

export type McpOptions = AdmissionParts &
  ServerDescription & {
    readonly tools: readonly Tool[];
    /** The part of the instructions about permissions that the caller lacks; empty if it lacks none. */
    readonly lacking?: (principal: Principal, tools: readonly Tool[]) => string;
    readonly jsonBodies: JsonBodies;
    readonly urls: readonly string[];
    /** Other origins whose pages may call it. */
    readonly openTo?: readonly string[] | undefined;
  };

const calledTool = (message: unknown): string | undefined => {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } };
  return method === 'tools/call' && typeof params?.name === 'string' ? params.name : undefined;
};

/**
 * The MCP endpoint (Streamable HTTP, revisions 2025-11-25 and 2026-07-28). It answers each request with one JSON
 * document and keeps no state between requests. It identifies the caller once, and each request counts once against the
 * rate limit. All MCP endpoints of the service share this handler.
 */
export const mcpHandler = (options: McpOptions): Respond => {
  const { endpoint, info, jsonBodies, urls, metadataUrl } = options;
  const all = new Toolbox(options.tools);
  const isForeign = foreignTo(urls, options.openTo);
  const admit = admission(options);

  /** The reply to a signed-in caller who needs one more permission from the account's owner (MCP, step-up). */
  const stepUp = (tool: Tool, principal: Principal): Reply | undefined => {
    const lacked = tool.lacks(principal);
    if (lacked === undefined || !isSignedIn(principal)) return undefined;
    const message = `This sign-in lacks the permission ${lacked}; ask the account's owner for it.`;
    const scopes = [...new Set([...scopesOf(principal), lacked])];
    const reply = refusalReply(refuse('missing_api_key_ability', { message }));
    return challenged(reply, { error: 'insufficient_scope', scopes, metadataUrl });
  };

  const answer = async (request: HostRequest, { caller }: MessageSender, requestId: string): Promise<McpReply> => {
    const { principal, counted } = caller;
    const { headers } = request;
    const tools = all.selected(request.query);
    if (typeof tools === 'string') return { reply: rpcError(400, RPC.invalidRequest, tools) };
    if (isCostly(request)) {
      const rate = await counted;
      if (!rate.allowed) return { reply: limitedReply(rate, request) };
    }
    const read = await readMessage(jsonBodies, request, tools.limitFor(principal, request.length), caller.owner);
    if ('reply' in read) return read;
    const { message, bytes } = read;
    const named = tools.named(calledTool(message) ?? '');
    const tool = named?.permits(principal) ? named : undefined;
    const limit = tool?.bodyLimit ?? DEFAULT_BODY_BYTES;
    if (bytes > limit) return { reply: rpcError(413, RPC.invalidRequest, tooLong(limit), idOf(message)) };
    const refused = named && !tool ? stepUp(named, principal) : undefined;
    if (refused) return { reply: refused };
    const context = { caller, locale: localeOf(headers['accept-language']), requestId };
    const direct = tool && directCall(message, headers);
    if (!direct) {
      const lacked = options.lacking?.(principal, tools.tools) ?? '';
      const description = { ...options, instructions: [options.instructions, lacked].filter(Boolean).join('\n\n') };
      return answerMessage(description, request, { message, tools: tools.for(principal), context });
    }
    const called = await tool.call(direct.args, context);
    return { reply: directReply(direct, called, info), called };
  };

  return async (request, _params, requestId) => {
    if (isForeign(request.headers)) return refusalReply(refuse('foreign_origin'));
    const admitted = await admit(request);
    if ('reply' in admitted) return admitted.reply;
    const { reply, called } = await answer(request, admitted, requestId);
    const { caller, using } = admitted;
    const rate = called?.rate ?? (await caller.counted);
    const faults = [...(called?.faults ?? [])];
    await using?.catch((fault: unknown) => faults.push(fault));
    return {
      ...(rate.allowed ? withRate(reply, rate) : limitedReply(rate, request)),
      answered: called?.answered ?? answeredTo(endpoint, caller.principal, rate.allowed ? null : 'rate_limited'),
      ...(faults.length > 0 && { faults }),
    };
  };
};

const tooLong = (limit: number): string => `This message may have ${limit} bytes at most.`;
