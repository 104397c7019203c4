import { type Comparison, compare } from '../compare.ts';
import type { Shot } from '../connection.ts';
import { atMost, part } from '../part.ts';
import { IN_MEMORY, type Service, startService } from '../service.ts';
import { PRODUCTS } from '../store.ts';

const REQUESTS = 3000;

const argumentsOf = (n: number) => ({
  product_id: (n % PRODUCTS) + 1,
  device_id: `device-${Math.floor(n / PRODUCTS) % 20}`,
  app_version: '1.2.0',
});

const headersOf = ({ more: { key } }: Service) => ({
  Authorization: `Bearer ${key}`,
  'Content-Type': 'application/json',
});

const restShot =
  (service: Service) =>
  (n: number): Shot => ({
    method: 'POST',
    path: '/api/license/check',
    headers: headersOf(service),
    body: JSON.stringify(argumentsOf(n)),
  });

const toolShot = (service: Service, headers: Readonly<Record<string, string>>, meta: object) => {
  const all = { ...headersOf(service), ...headers };
  return (n: number): Shot => ({
    method: 'POST',
    path: '/api/mcp',
    headers: all,
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: n,
      method: 'tools/call',
      params: { name: 'check_license', arguments: argumentsOf(n), ...meta },
    }),
  });
};

const REVISION = '2026-07-28';
const NEWER_HEADERS = {
  'MCP-Protocol-Version': REVISION,
  'Mcp-Method': 'tools/call',
  'Mcp-Name': 'check_license',
};
const NEWER_META = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};

/** The CPU time of a license check as an MCP tool, compared with the same check over REST in another process. */
const besideRest = async (headers: Readonly<Record<string, string>>, meta: object): Promise<Comparison> => {
  const tools = await startService(IN_MEMORY);
  const rest = await startService(IN_MEMORY);
  const compared = await compare(
    { server: tools, shot: toolShot(tools, headers, meta) },
    { server: rest, shot: restShot(rest) },
    REQUESTS,
  );
  tools.stop();
  rest.stop();
  return compared;
};

export const MCP = part({
  title: 'A license check as an MCP tool',
  ratios: {
    'license check as an MCP 2025-11-25 tool: CPU vs. REST': atMost(1.5),
    'license check as an MCP 2026-07-28 tool: CPU vs. REST': atMost(1.5),
  },
  figures: [
    'license check as a tool of MCP 2025-11-25, CPU µs',
    'license check over REST beside MCP 2025-11-25, CPU µs',
    'license check as a tool of MCP 2026-07-28, CPU µs',
    'license check over REST beside MCP 2026-07-28, CPU µs',
  ],
  measure: async () => {
    const older = await besideRest({ 'MCP-Protocol-Version': '2025-11-25' }, {});
    const newer = await besideRest(NEWER_HEADERS, NEWER_META);
    return {
      ratios: {
        'license check as an MCP 2025-11-25 tool: CPU vs. REST': older.ratio,
        'license check as an MCP 2026-07-28 tool: CPU vs. REST': newer.ratio,
      },
      figures: {
        'license check as a tool of MCP 2025-11-25, CPU µs': older.ours,
        'license check over REST beside MCP 2025-11-25, CPU µs': older.bare,
        'license check as a tool of MCP 2026-07-28, CPU µs': newer.ours,
        'license check over REST beside MCP 2026-07-28, CPU µs': newer.bare,
      },
    };
  },
});
