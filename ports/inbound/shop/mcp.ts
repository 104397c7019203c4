import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { queryText } from '../fields.ts';
import { JsonRpcMessage } from '../json-rpc.ts';

export const callShopMcp = endpoint({
  id: 'callShopMcp',
  host: 'shop',
  method: 'POST',
  path: '/api/shop/mcp',
  access: { credential: 'agent' },
  query: z.object({
    tools: queryText(200, 'Only the tools of these groups; every tool if left out.'),
  }),
  body: JsonRpcMessage,
  output: { kind: 'json', status: 200 },
  refusals: ['foreign_origin'],
  protocol: 'mcp',
});
