import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { queryText } from '../fields.ts';
import { JsonRpcMessage } from '../json-rpc.ts';

export const callDesignMcp = endpoint({
  id: 'callDesignMcp',
  host: 'design',
  method: 'POST',
  path: '/mcp',
  access: { credential: 'agent', role: 'read' },
  query: z.object({
    tools: queryText(200, 'Only the tools of these groups, such as `documents,gallery`; every tool if left out.'),
  }),
  body: JsonRpcMessage,
  output: { kind: 'json', status: 200 },
  refusals: ['foreign_origin'],
  protocol: 'mcp',
});
