import { join } from 'node:path';
import type { ChildServer } from '../child.ts';
import { LoadClient } from '../clients.ts';
import { part } from '../part.ts';
import { CONNECTIONS } from '../saturation.ts';
import { AGAIN, IN_MEMORY, onSqlite, type Service, startBare, startService } from '../service.ts';
import { median, warm } from '../statistics.ts';

const TABLE = 'Throughput at saturation';
const COUNT = 12_000;
const ROUNDS = 3;

type Reading = { readonly perSecond: number; readonly server: number; readonly client: number };

/** Sends requests to all servers concurrently, each by its own client. */
const load = async (
  servers: readonly ChildServer[],
  clients: readonly LoadClient[],
  key: string,
  count: number,
): Promise<Reading> => {
  const before = await Promise.all(servers.map((server) => server.read()));
  const from = performance.now();
  const connections = CONNECTIONS / servers.length;
  const each = count / servers.length;
  const done = await Promise.all(
    servers.map(({ port }, n) =>
      (clients[n] as LoadClient).closed({ port, key, devices: AGAIN, count: each, connections }),
    ),
  );
  const seconds = (performance.now() - from) / 1000;
  const after = await Promise.all(servers.map((server) => server.read()));
  const micros = after.reduce((sum, { cpuMicros }, n) => sum + cpuMicros - (before[n]?.cpuMicros ?? 0), 0);
  const clientMicros = done.reduce((sum, one) => sum + one.clientMicros, 0);
  return { perSecond: count / seconds, server: micros / count, client: clientMicros / count };
};

export const THROUGHPUT = part({
  title: 'Throughput',
  ratios: {},
  figures: [],
  tables: [TABLE],
  measure: async (folder) => {
    const clients = [await LoadClient.start(), await LoadClient.start()];
    const rows: (string | number)[][] = [];
    const measure = async (name: string, servers: readonly ChildServer[], key: string): Promise<void> => {
      await warm(async () => (await load(servers, clients, key, COUNT)).server);
      const readings: Reading[] = [];
      for (let round = 0; round < ROUNDS; round++) readings.push(await load(servers, clients, key, COUNT));
      const of = (what: keyof Reading): number => Math.round(median(readings.map((reading) => reading[what])));
      rows.push([name, of('perSecond'), of('server'), Math.round(1e6 / of('server')), of('client')]);
      for (const server of servers) server.stop();
    };
    const memory = await startService(IN_MEMORY);
    const { key } = memory.more;
    await measure('memory engine, one process', [memory], key);
    const one: Service = await startService(onSqlite(join(folder, 'one')));
    await measure('sqlite engine, one process', [one], one.more.key);
    const first = await startService(onSqlite(join(folder, 'two')));
    const second = await startService({ ...onSqlite(join(folder, 'two')), BENCH_FILLED: 'yes' });
    await measure('sqlite engine, two processes on one file', [first, second], first.more.key);
    await measure('bare route, one process', [await startBare()], key);
    for (const client of clients) client.stop();
    return {
      ratios: {},
      figures: {},
      tables: {
        [TABLE]: {
          head: [
            '',
            'requests per second',
            'CPU µs per request',
            'requests per CPU second',
            'CPU µs of the client per request',
          ],
          rows,
        },
      },
    };
  },
});
