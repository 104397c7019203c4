import { jsonReply, NO_STORE, type Reply } from '../host/reply.ts';

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
 * The id of a message that may be anything; null where it has none that an answer could repeat. MCP allows strings and
 * integers, and an answer with any other id breaks the documented schema.
 */
export const idOf = (message: unknown): RpcId => {
  const id = typeof message === 'object' && message !== null ? (message as { id?: unknown }).id : null;
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as RpcId) : null;
};

/** A JSON-RPC error as an HTTP reply. */
export const rpcError = (status: number, code: number, message: string, id: RpcId = null, data?: unknown): Reply =>
  jsonReply(
    status,
    { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } },
    { 'cache-control': NO_STORE },
  );
