import * as z from 'zod';
import { endpointsOf } from '../endpoint.ts';
import { queryText } from '../fields.ts';
import { jsonRpcReply, MCP } from '../json-rpc.ts';

const shop = endpointsOf({ host: 'shop', ...MCP });

export const callShopMcp = shop({
  id: 'callShopMcp',
  path: '/api/shop/mcp',
  access: { credential: 'agent' },
  query: () =>
    z.object({
      tools: queryText(200, 'Only the tools of these groups; every tool if left out.'),
    }),
  answer: jsonRpcReply,
});
