import { type Reply, type Send, send } from './client.ts';
import type { Mount } from './mount.ts';

export const MCP = '/api/mcp';

export const REVISION_2025 = '2025-11-25';
export const REVISION_2026 = '2026-07-28';

type Params = Readonly<Record<string, unknown>>;

const ABOUT = {
  'io.modelcontextprotocol/protocolVersion': REVISION_2026,
  'io.modelcontextprotocol/clientInfo': { name: 'case', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A message of the revisions up to 2025-11-25. */
export const message2025 = (method: string, params: Params = {}): object => ({ jsonrpc: '2.0', id: 1, method, params });

/** A message of revision 2026-07-28, which names its sender each time. */
export const message2026 = (method: string, params: Params = {}): object => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: { ...params, _meta: ABOUT },
});

/** The headers that revision 2026-07-28 requires with a message. */
export const headers2026 = (method: string, name?: string): Record<string, string> => ({
  'MCP-Protocol-Version': REVISION_2026,
  'Mcp-Method': method,
  ...(name === undefined ? {} : { 'Mcp-Name': name }),
});

export const INITIALIZE = message2025('initialize', {
  protocolVersion: REVISION_2025,
  capabilities: {},
  clientInfo: { name: 'case', version: '1' },
});

/** Sends one message to the MCP endpoint. */
export const tell = (
  mount: Mount,
  json: unknown,
  { query = '', ...rest }: Send & { readonly query?: string } = {},
): Promise<Reply> => send(mount, 'POST', MCP + query, { json, ...rest });

/** Calls a tool in revision 2025-11-25. */
export const callTool = (
  mount: Mount,
  key: string,
  name: string,
  args: Params = {},
  headers?: Record<string, string>,
) => tell(mount, message2025('tools/call', { name, arguments: args }), { key, ...(headers && { headers }) });

/** Calls a tool in revision 2026-07-28. */
export const callTool2026 = (mount: Mount, key: string, name: string, args: Params = {}) =>
  tell(mount, message2026('tools/call', { name, arguments: args }), { key, headers: headers2026('tools/call', name) });

export const toolNames = async (mount: Mount, key: string, query = ''): Promise<string[]> => {
  const { body } = await tell(mount, message2025('tools/list'), { key, query });
  return body.result.tools.map(({ name }: { name: string }) => name);
};
