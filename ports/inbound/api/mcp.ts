import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { queryText } from '../fields.ts';

export const callMcp = endpoint({
  id: 'callMcp',
  host: 'api',
  method: 'POST',
  path: '/api/mcp',
  access: { credential: 'key', ability: 'mcp.read', orSignInToken: true },
  query: z.object({
    tools: queryText(200, 'Only the tools of these groups, such as `library,install`; every tool if left out.'),
  }),
  body: z
    .object({
      jsonrpc: z.string().optional().meta({ description: '`2.0`' }),
      id: z.union([z.string(), z.int()]).optional().meta({ description: 'missing in a notification' }),
      method: z.string().optional().meta({ description: 'such as `initialize`, `tools/list` or `tools/call`' }),
      params: z.record(z.string(), z.unknown()).optional(),
    })
    .meta({ id: 'JsonRpcMessage' }),
  output: { kind: 'json', status: 200 },
  refusals: ['foreign_origin'],
  protocol: 'mcp',
});
