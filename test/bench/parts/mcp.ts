import { cpuPerRequest, type Shot } from '../load.ts';
import { atMost, part } from '../part.ts';
import { IN_MEMORY, type Service, startService } from '../service.ts';
import { takeTurns } from '../statistics.ts';
import { PRODUCTS } from '../store.ts';

const ROUNDS = 7;
const REQUESTS = 3000;
const WARM_UP = 10_000;

const argumentsOf = (n: number) => ({
  product_id: (n % PRODUCTS) + 1,
  device_id: `device-${Math.floor(n / PRODUCTS) % 20}`,
  app_version: '1.2.0',
});

const headersOf = ({ more: { key } }: Service) => ({
  Host: '127.0.0.1',
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

type McpCost = Awaited<ReturnType<typeof takeTurns>>;

/** The CPU of a license check as an MCP tool, in both revisions, beside the same check over the REST API. */
const mcpCalls = async (): Promise<{ older: McpCost; newer: McpCost }> => {
  const service = await startService(IN_MEMORY);
  const rest = restShot(service);
  const beside = async (tool: (n: number) => Shot): Promise<McpCost> => {
    await cpuPerRequest(service, WARM_UP, rest);
    await cpuPerRequest(service, WARM_UP, tool);
    return takeTurns(
      ROUNDS,
      () => cpuPerRequest(service, REQUESTS, tool),
      () => cpuPerRequest(service, REQUESTS, rest),
    );
  };
  const older = await beside(toolShot(service, { 'MCP-Protocol-Version': '2025-11-25' }, {}));
  const newer = await beside(toolShot(service, NEWER_HEADERS, NEWER_META));
  service.stop();
  return { older, newer };
};

export const MCP = part({
  title: 'A license check as an MCP tool',
  text: 'CPU time of a tool call, beside the same check over the REST API of the same server.',
  ratios: {
    'license check as a tool of MCP 2025-11-25: CPU against REST': atMost(1.5),
    'license check as a tool of MCP 2026-07-28: CPU against REST': atMost(1.5),
  },
  figures: [
    'license check as a tool of MCP 2025-11-25, CPU µs',
    'license check over REST beside MCP 2025-11-25, CPU µs',
    'license check as a tool of MCP 2026-07-28, CPU µs',
    'license check over REST beside MCP 2026-07-28, CPU µs',
  ],
  measure: async () => {
    const { older, newer } = await mcpCalls();
    return {
      ratios: {
        'license check as a tool of MCP 2025-11-25: CPU against REST': older.ratio,
        'license check as a tool of MCP 2026-07-28: CPU against REST': newer.ratio,
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
