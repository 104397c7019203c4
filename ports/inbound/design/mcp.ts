import * as z from 'zod';
import { endpointsOf } from '../endpoint.ts';
import { queryText } from '../fields.ts';
import { jsonRpcReply, MCP } from '../json-rpc.ts';

const design = endpointsOf({ host: 'design', ...MCP });

export const callDesignMcp = design({
  id: 'callDesignMcp',
  path: '/mcp',
  access: { credential: 'agent', role: 'read' },
  query: () =>
    z.object({
      tools: queryText(200, 'Only the tools of these groups, such as `documents,gallery`; every tool if left out.'),
    }),
  answer: jsonRpcReply,
});
