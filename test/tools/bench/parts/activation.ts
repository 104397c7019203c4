import { join } from 'node:path';
import type { ChildServer } from '../child.ts';
import { Connection } from '../connection.ts';
import { part } from '../part.ts';
import { percentiles } from '../saturation.ts';
import { licenseShot, onSqlite, startService } from '../service.ts';
import { PRODUCTS } from '../store.ts';

const TABLE = 'New devices for products with a device limit';
const CONTENDED = 20;
const LIMIT = 20;
const DEVICES = 60;
const CONNECTIONS = 32;

type Activated = {
  readonly perSecond: number;
  readonly seated: number;
  readonly refused: number;
  readonly p99: number;
};

/**
 * Checks the licenses of 60 new devices of each product, a third of which get a slot, on all servers concurrently.
 * Throws unless each product has exactly as many devices as allowed.
 */
const activate = async (servers: readonly ChildServer[], key: string): Promise<Activated> => {
  const count = CONTENDED * DEVICES;
  const shot = licenseShot(key, DEVICES);
  const seated = new Array<number>(CONTENDED).fill(0);
  const millis: number[] = [];
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, n) =>
      Connection.open((servers[n % servers.length] as ChildServer).port, [200, 409]),
    ),
  );
  let next = 0;
  const from = performance.now();
  await Promise.all(
    connections.map(async (connection) => {
      while (next < count) {
        // All devices of a product come in sequence, so that they compete for the same slots.
        const n = next++;
        const product = Math.floor(n / DEVICES);
        const begun = performance.now();
        const body = await connection.ask(shot((n % DEVICES) * PRODUCTS + product));
        millis.push(performance.now() - begun);
        const { valid } = JSON.parse(body.toString()) as { valid?: boolean };
        if (valid) seated[product] = (seated[product] ?? 0) + 1;
      }
    }),
  );
  const seconds = (performance.now() - from) / 1000;
  for (const connection of connections) connection.close();
  const wrong = seated.findIndex((devices) => devices !== LIMIT);
  if (wrong >= 0) throw new Error(`Product ${wrong + 1} seated ${seated[wrong]} devices where its limit is ${LIMIT}.`);
  const all = CONTENDED * LIMIT;
  const [, , p99 = Number.NaN] = percentiles(Float64Array.from(millis).sort());
  return { perSecond: Math.round(count / seconds), seated: all, refused: count - all, p99 };
};

export const ACTIVATION = part({
  title: 'Activation contention',
  ratios: {},
  figures: [],
  tables: [TABLE],
  measure: async (folder) => {
    const rows: (string | number)[][] = [];
    const measure = async (name: string, servers: readonly ChildServer[], key: string): Promise<void> => {
      await servers[0]?.ask('limitDevices', LIMIT);
      const { perSecond, seated, refused, p99 } = await activate(servers, key);
      rows.push([name, perSecond, seated, refused, p99]);
      for (const server of servers) server.stop();
    };
    const one = await startService(onSqlite(join(folder, 'one')));
    await measure('one process', [one], one.more.key);
    const first = await startService(onSqlite(join(folder, 'two')));
    const second = await startService({ ...onSqlite(join(folder, 'two')), BENCH_FILLED: 'yes' });
    await measure('two processes on one file', [first, second], first.more.key);
    return {
      ratios: {},
      figures: {},
      tables: { [TABLE]: { head: ['', 'checks per second', 'seated', 'refused', 'p99 ms'], rows } },
    };
  },
});
