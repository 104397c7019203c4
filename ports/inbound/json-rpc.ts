import * as z from 'zod';

/** One message of JSON-RPC 2.0 as a protocol on top of HTTP takes it; the protocol checks it itself. */
const JsonRpcMessage = z
  .object({
    jsonrpc: z.string().optional().meta({ description: '`2.0`' }),
    id: z.union([z.string(), z.int()]).optional().meta({ description: 'missing in a notification' }),
    method: z.string().optional().meta({ description: 'such as `initialize`, `tools/list` or `tools/call`' }),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'JsonRpcMessage' });

/** The members that the endpoints of the protocol have in common. */
export const MCP = { method: 'POST', body: JsonRpcMessage, refusals: ['foreign_origin'], protocol: 'mcp' } as const;
