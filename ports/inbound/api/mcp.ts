import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { queryText } from '../fields.ts';
import { JsonRpcMessage } from '../json-rpc.ts';

export const callMcp = endpoint({
  id: 'callMcp',
  host: 'api',
  method: 'POST',
  path: '/api/mcp',
  access: { credential: 'key', ability: 'mcp.read', orSignInToken: true },
  query: z.object({
    tools: queryText(200, 'Only the tools of these groups, such as `library,install`; every tool if left out.'),
  }),
  body: JsonRpcMessage,
  output: { kind: 'json', status: 200 },
  refusals: ['foreign_origin'],
  protocol: 'mcp',
});
