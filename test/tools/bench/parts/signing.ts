import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { ChildServer } from '../child.ts';
import { LoadClient } from '../clients.ts';
import { cpuPerRequest } from '../load.ts';
import { part } from '../part.ts';
import { loadSteadily, percentiles, saturate, type Target } from '../saturation.ts';
import { IN_MEMORY, licenseShot, signedBytes, startService } from '../service.ts';
import { takeTurns } from '../statistics.ts';

const TABLE = 'an Ed25519 signature for each request';
const ROUNDS = 3;
const COUNTED = 5000;

const PATHS = { 'on the event loop': '/sync', 'on the thread pool': '/async' } as const;

/** The cores of the server and of its client, as `taskset` names them. */
type Cores = { readonly name: string; readonly server?: string; readonly client?: string };

const canPin = (): boolean => availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0;

const p99 = (millis: Float64Array): number => percentiles(millis)[2] as number;

const measureOn = async ({ name, server: cores, client: clientCores }: Cores, signed: string) => {
  const env = { BENCH_SIGNED: signed };
  const options = cores === undefined ? {} : { cores };
  const server = await ChildServer.start('./servers/signing-server.ts', env, options);
  const client = await LoadClient.start(clientCores);
  const targets: readonly Target[] = Object.entries(PATHS).map(([way, path]) => ({
    name: way,
    checks: { port: server.port, key: 'no-key', devices: 1, path },
  }));
  const most = await saturate(client, targets, ROUNDS);
  const steady = await loadSteadily(
    client,
    targets.map((target) => ({ ...target, rate: Math.round((most.get(target.name)?.perSecond ?? 0) / 2) })),
  );
  const micros = (path: string) => cpuPerRequest(server, COUNTED, licenseShot('no-key', 1, path));
  const cpu = await takeTurns(
    ROUNDS,
    () => micros(PATHS['on the thread pool']),
    () => micros(PATHS['on the event loop']),
  );
  client.stop();
  server.stop();
  return [...most].map(([way, { perSecond, millis }]) => {
    const half = steady.get(way);
    const ofRequest = Math.round(way === 'on the event loop' ? cpu.bare : cpu.ours);
    return [
      `${way}, ${name}`,
      ofRequest,
      Math.round(perSecond),
      p99(millis),
      half?.rate ?? 0,
      half ? p99(half.millis) : 0,
    ];
  });
};

export const SIGNING = part({
  title: 'Signing',
  text:
    'A server that does nothing but sign the bytes of a license token, by `node:crypto` on the event loop and on the ' +
    'thread pool. On one core, `taskset` pins the server to the first core and the client to the second; on two cores ' +
    'they share both. The milliseconds at half of saturation are those of an open-loop load.',
  ratios: {},
  figures: [],
  tables: [TABLE],
  measure: async () => {
    const service = await startService(IN_MEMORY);
    const signed = await signedBytes(service);
    service.stop();
    const pinned = canPin()
      ? await measureOn({ name: 'one core', server: '0', client: '1' }, signed)
      : [['one core: left out, because this machine has no taskset or one core', '–', '–', '–', '–', '–']];
    const shared = await measureOn({ name: 'two cores' }, signed);
    return {
      ratios: {},
      figures: {},
      tables: {
        [TABLE]: {
          head: [
            '',
            'CPU µs',
            'requests a second at saturation',
            'p99 ms',
            'requests a second at half of it',
            'p99 ms at half',
          ],
          rows: [...pinned, ...shared],
        },
      },
    };
  },
});
