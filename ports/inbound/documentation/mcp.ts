import * as z from 'zod';
import { component } from './fields.ts';

const JsonRpcError = component('JsonRpcError', { code: z.int(), message: z.string(), data: z.unknown().optional() });

/** The reply to one message (JSON-RPC 2.0, section 5): a result or an error. */
export const JsonRpcReply = component('JsonRpcReply', {
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int()]).nullable().optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: JsonRpcError.optional(),
});

export const mcpDocumentation = {
  callMcp: {
    group: 'MCP',
    summary: 'Call the account API as tools',
    description:
      'One JSON-RPC message of the Model Context Protocol (Streamable HTTP, revisions 2025-11-25 and 2026-07-28) for each request, answered by one JSON document. The tools are the endpoints that the credential may call. The access token of a sign-in is accepted here, and nowhere else. The reply to `initialize` has an `Mcp-Session-Id`, which is never needed. A notification gets 202 without a body. A batch, a message that is no JSON-RPC and an unknown protocol version are 400 with a JSON-RPC error.',
    bodyExample: { jsonrpc: '2.0', id: '1', method: 'ping', params: {} },
    answer: JsonRpcReply,
  },
  callDesignMcp: {
    group: 'Design MCP',
    summary: 'Read the design host by tools and resources',
    description:
      'One JSON-RPC message of the Model Context Protocol (Streamable HTTP, revisions 2025-11-25 and 2026-07-28) for each request, answered by one JSON document. The caller needs an agent token of the role `read`; nobody signs in here. The tools are the endpoints of this host that such a token may call. Approved documents are resources too: `resources/list` names them page by page, and `resources/read` has the Markdown of `design://documents/{slug}` and of `design://documents/{slug}/versions/{number}`. A notification gets 202 without a body. A batch, a message that is no JSON-RPC and an unknown protocol version are 400 with a JSON-RPC error.',
    bodyExample: { jsonrpc: '2.0', id: '1', method: 'ping', params: {} },
    answer: JsonRpcReply,
  },
  callShopMcp: {
    group: 'Shop',
    summary: 'Run the shop by tools',
    description:
      'One JSON-RPC message of the Model Context Protocol (Streamable HTTP, revisions 2025-11-25 and 2026-07-28) for each request, answered by one JSON document. The tools are the endpoints of this host that the token’s role may call.',
    bodyExample: { jsonrpc: '2.0', id: '1', method: 'ping', params: {} },
    answer: JsonRpcReply,
  },
} as const;
