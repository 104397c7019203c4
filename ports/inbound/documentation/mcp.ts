import { JsonRpcReply } from './answers/mcp.ts';

export const mcpDocumentation = {
  callMcp: {
    group: 'MCP',
    summary: 'Call the account API as tools',
    description:
      'One JSON-RPC message of the Model Context Protocol (Streamable HTTP, revisions 2025-11-25 and 2026-07-28) for each request, answered by one JSON document. The tools are the endpoints that the credential may call. The access token of a sign-in is accepted here, and nowhere else. The reply to `initialize` has an `Mcp-Session-Id`, which is never needed. A notification gets 202 without a body. A batch, a message that is no JSON-RPC and an unknown protocol version are 400 with a JSON-RPC error.',
    bodyExample: { jsonrpc: '2.0', id: '1', method: 'ping', params: {} },
    answer: { schema: JsonRpcReply, example: { jsonrpc: '2.0', id: '1', result: {} } },
  },
} as const;
