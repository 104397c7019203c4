import type { Part } from './part.ts';
import { ABUSE } from './parts/abuse.ts';
import { ACTIVATION } from './parts/activation.ts';
import { COLD_LOAD } from './parts/cold-load.ts';
import { CONSOLE } from './parts/console.ts';
import { DOWNLOADS } from './parts/downloads.ts';
import { FUNCTION_CPU } from './parts/function-cpu.ts';
import { LATENCY } from './parts/latency.ts';
import { LIBRARY } from './parts/library.ts';
import { MCP } from './parts/mcp.ts';
import { MEMORY } from './parts/memory.ts';
import { METRICS } from './parts/metrics.ts';
import { REQUESTS } from './parts/requests.ts';
import { SQLITE } from './parts/sqlite.ts';
import { START } from './parts/start.ts';
import { THROUGHPUT } from './parts/throughput.ts';
import { WEBHOOKS } from './parts/webhooks.ts';

/** The parts of the benchmark under the names that `--only` accepts, in the order in which they run. */
export const PARTS: Readonly<Record<string, Part>> = {
  requests: REQUESTS,
  sqlite: SQLITE,
  metrics: METRICS,
  library: LIBRARY,
  function: FUNCTION_CPU,
  'cold-load': COLD_LOAD,
  start: START,
  memory: MEMORY,
  latency: LATENCY,
  throughput: THROUGHPUT,
  activation: ACTIVATION,
  webhooks: WEBHOOKS,
  console: CONSOLE,
  mcp: MCP,
  abuse: ABUSE,
  downloads: DOWNLOADS,
};
