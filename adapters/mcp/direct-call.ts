import { type InboundClassificationOutcome, SERVER_INFO_META_KEY } from '@modelcontextprotocol/server';
import { jsonReply, NO_STORE, type Reply } from '../host/reply.ts';
import type { HostHeaders } from '../host/request.ts';
import { RPC, rpcError } from './json-rpc.ts';
import { REVISION_2026, type ServerInfo } from './server.ts';
import type { Called, Tool } from './tool.ts';

/** A call of a tool whose message and headers are plainly right. */
export type DirectCall = {
  readonly tool: Tool;
  readonly args: Readonly<Record<string, unknown>>;
  readonly id: string | number;
  readonly revision: '2025' | '2026';
};

type Message = {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown; readonly arguments?: unknown };
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The headers of revision 2026-07-28 that repeat the message. The classification has compared the version already. */
const repeats = (headers: HostHeaders, name: string): boolean =>
  headers['mcp-protocol-version'] === REVISION_2026 &&
  headers['mcp-method'] === 'tools/call' &&
  headers['mcp-name'] === name;

/**
 * The call in a message that needs nothing else of the protocol; undefined for every other message. Such a call is
 * framed here, because a server and a transport for each message cost more than most tools do. Every message that is
 * not plainly right goes to the protocol's own implementation, which knows all of its errors.
 */
export const directCall = (
  kind: InboundClassificationOutcome,
  message: unknown,
  tools: readonly Tool[],
  headers: HostHeaders,
): DirectCall | undefined => {
  const { id, method, params } = message as Message;
  if (method !== 'tools/call' || (typeof id !== 'string' && typeof id !== 'number')) return undefined;
  const tool = tools.find(({ name }) => name === params?.name);
  const args = params?.arguments ?? {};
  if (!tool || !isObject(args)) return undefined;
  if (kind.kind === 'legacy') return kind.reason === 'no-claim' ? { tool, args, id, revision: '2025' } : undefined;
  if (kind.kind !== 'modern' || kind.classification.revision !== REVISION_2026) return undefined;
  return repeats(headers, tool.name) ? { tool, args, id, revision: '2026' } : undefined;
};

/** The reply to a call, as its revision frames a result. */
export const directReply = ({ id, revision }: DirectCall, called: Called, info: ServerInfo): Reply => {
  if ('reply' in called) return called.reply;
  if ('fault' in called) return rpcError(200, RPC.internalError, called.fault, id);
  const result =
    revision === '2025'
      ? called.result
      : { ...called.result, resultType: 'complete', _meta: { [SERVER_INFO_META_KEY]: info } };
  return jsonReply(200, { jsonrpc: '2.0', id, result }, { 'cache-control': NO_STORE });
};
