import type { Part } from './part.ts';
import { ABUSE } from './parts/abuse.ts';
import { COLD_LOAD } from './parts/cold-load.ts';
import { DOWNLOADS } from './parts/downloads.ts';
import { FUNCTION_CPU } from './parts/function-cpu.ts';
import { LIBRARY } from './parts/library.ts';
import { MCP } from './parts/mcp.ts';
import { MEMORY } from './parts/memory.ts';
import { REQUESTS } from './parts/requests.ts';
import { SQLITE } from './parts/sqlite.ts';
import { START } from './parts/start.ts';
import { STORE } from './parts/store.ts';

/** The parts of the benchmark by the names that `--only` takes, in the order in which they run. */
export const PARTS: Readonly<Record<string, Part>> = {
  requests: REQUESTS,
  sqlite: SQLITE,
  start: START,
  memory: MEMORY,
  store: STORE,
  library: LIBRARY,
  'cold-load': COLD_LOAD,
  function: FUNCTION_CPU,
  mcp: MCP,
  abuse: ABUSE,
  downloads: DOWNLOADS,
};
