import * as z from 'zod';

const JsonRpcError = z
  .object({ code: z.int(), message: z.string(), data: z.unknown().optional() })
  .meta({ id: 'JsonRpcError' });

/** The reply to one message (JSON-RPC 2.0, section 5): a result or an error. */
export const JsonRpcReply = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.int()]).nullable().optional(),
    result: z.record(z.string(), z.unknown()).optional(),
    error: JsonRpcError.optional(),
  })
  .meta({ id: 'JsonRpcReply' });
