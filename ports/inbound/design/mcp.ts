import * as z from 'zod';
import { endpointsOf } from '../endpoint.ts';
import { queryText } from '../fields.ts';
import { JsonRpcMessage } from '../json-rpc.ts';

const design = endpointsOf({ host: 'design' });

export const callDesignMcp = design({
  id: 'callDesignMcp',
  method: 'POST',
  path: '/mcp',
  access: { credential: 'agent', role: 'read' },
  query: z.object({
    tools: queryText(200, 'Only the tools of these groups, such as `documents,gallery`; every tool if left out.'),
  }),
  body: JsonRpcMessage,
  refusals: ['foreign_origin'],
  protocol: 'mcp',
});
