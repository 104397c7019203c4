import * as z from 'zod';
import { component, once } from './answers.ts';

/** One JSON-RPC 2.0 message; the protocol on top of HTTP validates it. */
const JsonRpcMessage = once(() =>
  component('JsonRpcMessage', {
    jsonrpc: z.string().optional().meta({ description: '`2.0`' }),
    id: z.union([z.string(), z.int()]).optional().meta({ description: 'missing in a notification' }),
    method: z.string().optional().meta({ description: 'such as `initialize`, `tools/list` or `tools/call`' }),
    params: z.record(z.string(), z.unknown()).optional(),
  }),
);

/** The fields that the endpoints of the protocol share. */
export const MCP = { method: 'POST', body: JsonRpcMessage, refusals: ['foreign_origin'], protocol: 'mcp' } as const;

const jsonRpcError = once(() =>
  component('JsonRpcError', { code: z.int(), message: z.string(), data: z.unknown().optional() }),
);

/** The reply to one message (JSON-RPC 2.0, section 5): a result or an error. */
export const jsonRpcReply = once(() =>
  component('JsonRpcReply', {
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.int()]).nullable().optional(),
    result: z.record(z.string(), z.unknown()).optional(),
    error: jsonRpcError().optional(),
  }),
);
