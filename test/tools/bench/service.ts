import packageJson from '../../../package.json' with { type: 'json' };
import { ChildServer } from './child.ts';
import type { Shot } from './connection.ts';
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

/** Node's options in `npm start`. */
const NODE_OPTIONS = (packageJson.scripts.start.match(/--[\w-]+=\d+/g) ?? []).join(' ');

export const startService = (env: Record<string, string>): Promise<Service> =>
  ChildServer.start('./servers/service-server.ts', { NODE_OPTIONS, ...env });

export const startBare = (env: Record<string, string> = {}): Promise<ChildServer> =>
  ChildServer.start('./servers/bare-server.ts', env);

/** The number of devices: few enough that decisions are reused within the hour, or so many that each is signed anew. */
export const AGAIN = 20;
export const AFRESH = 200;

/** Makes license checks for each of the 50 products from `devices` devices in turn. */
export const licenseShot =
  (key: string, devices: number, path = '/api/license/check') =>
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

export const libraryShot = (key: string) => (): Shot => ({
  method: 'GET',
  path: '/api/library',
  headers: { Authorization: `Bearer ${key}` },
});

/** The answer of a server to one request, as text. */
export const answerOf = async (port: number, { method, path, headers, body }: Shot): Promise<string> => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...(body && { body }) });
  if (answer.status !== 200) throw new Error(`${method} ${path} was answered ${answer.status}.`);
  return answer.text();
};

/** The bytes that a service signs for a license check. */
export const signedBytes = async ({ port, more: { key } }: Service): Promise<string> => {
  const { token } = JSON.parse(await answerOf(port, licenseShot(key, 1)(0))) as { token: string };
  return token.slice(0, token.lastIndexOf('.'));
};
