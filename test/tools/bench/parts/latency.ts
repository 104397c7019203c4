import { join } from 'node:path';
import { LoadClient } from '../clients.ts';
import { part } from '../part.ts';
import { loadSteadily, PERCENTILES, percentiles, saturate, type Target } from '../saturation.ts';
import { AGAIN, IN_MEMORY, onSqlite, startBare, startService } from '../service.ts';

const TABLE = 'Latency of a license check at half of saturation, in milliseconds';

const rounded = (value: number): number => Math.round(value * 100) / 100;

export const LATENCY = part({
  title: 'Latency',
  ratios: {},
  figures: [],
  tables: [TABLE],
  measure: async (folder) => {
    const [memory, sqlite, bare] = [
      await startService(IN_MEMORY),
      await startService(onSqlite(join(folder, 'data'))),
      await startBare(),
    ];
    const client = await LoadClient.start();
    const { key } = memory.more;
    const targets: readonly Target[] = [
      { name: 'memory engine', checks: { port: memory.port, key, devices: AGAIN } },
      { name: 'sqlite engine', checks: { port: sqlite.port, key: sqlite.more.key, devices: AGAIN } },
      { name: 'bare route', checks: { port: bare.port, key, devices: AGAIN } },
    ];
    const most = await saturate(client, targets);
    const steady = await loadSteadily(
      client,
      targets.map((target) => ({ ...target, rate: Math.round((most.get(target.name)?.perSecond ?? 0) / 2) })),
    );
    client.stop();
    for (const server of [memory, sqlite, bare]) server.stop();
    const rows = [...steady].map(([name, { rate, millis, latest }]) => [
      name,
      rate,
      ...percentiles(millis),
      rounded(latest),
    ]);
    return {
      ratios: {},
      figures: {},
      tables: { [TABLE]: { head: ['', 'requests per second', ...PERCENTILES, 'client delay'], rows } },
    };
  },
});
