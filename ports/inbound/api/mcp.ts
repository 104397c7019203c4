import * as z from 'zod';
import { endpointsOf } from '../endpoint.ts';
import { queryText } from '../fields.ts';
import { jsonRpcReply, MCP } from '../json-rpc.ts';

const api = endpointsOf({ host: 'api', ...MCP });

export const callMcp = api({
  id: 'callMcp',
  path: '/api/mcp',
  access: { credential: 'key', ability: 'mcp.read', orSignInToken: true },
  query: () =>
    z.object({
      tools: queryText(200, 'Only the tools of these groups, such as `library,install`; every tool if left out.'),
    }),
  answer: jsonRpcReply,
});
