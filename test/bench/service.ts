import { ChildServer } from './child.ts';
import { cpuPerRequest, type Shot, takeTurns } from './load.ts';
import { PRODUCTS } from './store.ts';

export type Service = ChildServer<{ key: string }>;

export const IN_MEMORY = { STORE: 'memory', OBJECTS: 'memory', LOG_LEVEL: 'info' };

/** The environment of a service on the engines of one machine. */
export const onSqlite = (folder: string) => ({
  STORE: 'sqlite',
  OBJECTS: 'filesystem',
  LOG_LEVEL: 'info',
  DATA_DIR: folder,
});

export const startService = (env: Record<string, string>): Promise<Service> =>
  ChildServer.start('./servers/service-server.ts', env);

export const startBare = (env: Record<string, string> = {}): Promise<ChildServer> =>
  ChildServer.start('./servers/bare-server.ts', env);

/** Device counts: few enough that decisions are reused within the hour, and so many that each is signed afresh. */
export const AGAIN = 20;
export const AFRESH = 200;

/** Makes license checks for each of the 50 products from `devices` devices in turn. */
export const licenseShot =
  ({ more: { key } }: Service, devices: number, path = '/api/license/check') =>
  (n: number): Shot => ({
    method: 'POST',
    path,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      product_id: (n % PRODUCTS) + 1,
      device_id: `device-${Math.floor(n / PRODUCTS) % devices}`,
      app_version: '1.2.0',
    }),
  });

export const libraryShot =
  ({ more: { key } }: Service) =>
  (): Shot => ({ method: 'GET', path: '/api/library', headers: { Authorization: `Bearer ${key}` } });

const ROUNDS = 7;
const WARM_UP = 30_000;

/** Compares two servers in turns, after each was warmed alike. */
export const compare = async (
  ours: Service,
  bare: ChildServer,
  count: number,
  shot: (n: number) => Shot,
  bareShot: (n: number) => Shot = shot,
) => {
  await cpuPerRequest(ours, WARM_UP, shot);
  await cpuPerRequest(bare, WARM_UP, bareShot);
  return takeTurns(
    ROUNDS,
    () => cpuPerRequest(ours, count, shot),
    () => cpuPerRequest(bare, count, bareShot),
  );
};

/** Compares a service with a bare server, both started for it. */
export const compareFresh = async (
  env: Record<string, string>,
  count: number,
  shotOf: (service: Service) => (n: number) => Shot,
) => {
  const ours = await startService(env);
  const bare = await startBare();
  const compared = await compare(ours, bare, count, shotOf(ours));
  ours.stop();
  bare.stop();
  return compared;
};
