import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { PRODUCT, type Target } from './target.ts';

/** The address of honest clients, from which no attack comes. */
const HONEST = '127.0.0.9';
const PAUSE_MS = 100;

/** A probe without an answer for this many milliseconds counts as this long. */
export const LOST_MS = 10_000;

type Asked = { readonly method: string; readonly path: string; readonly key?: string; readonly body?: string };

/** The milliseconds until a complete 200 response; LOST_MS for any other result. */
const ask = (port: number, agent: Agent, { method, path, key, body }: Asked): Promise<number> =>
  new Promise((resolve) => {
    const from = performance.now();
    const headers = {
      ...(key && { Authorization: `Bearer ${key}` }),
      ...(body && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
    };
    const options = { host: '127.0.0.1', port, agent, method, path, headers, localAddress: HONEST, timeout: LOST_MS };
    const lost = (): void => resolve(LOST_MS);
    const sent = request(options, (answer) => {
      const done = (): void => resolve(answer.statusCode === 200 ? performance.now() - from : LOST_MS);
      answer.once('error', lost).once('end', done).resume();
    });
    sent.once('timeout', () => sent.destroy()).once('error', lost);
    sent.end(body);
  });

export type Probed = { readonly health: readonly number[]; readonly check: readonly number[] };

/** Requests the health and a license check of other accounts, ten times a second each. */
export const probe = async ({ port, others }: Target, seconds: number): Promise<Probed> => {
  const agent = new Agent({ keepAlive: true });
  const end = performance.now() + seconds * 1000;
  const millis = async (asked: (n: number) => Asked): Promise<number[]> => {
    const all: number[] = [];
    for (let n = 0; performance.now() < end; n++) {
      all.push(await ask(port, agent, asked(n)));
      await wait(PAUSE_MS);
    }
    return all;
  };
  const check = (n: number): Asked => ({
    method: 'POST',
    path: '/api/license/check',
    key: others[n % others.length] as string,
    body: JSON.stringify({ product_id: PRODUCT, device_id: 'a-device', app_version: '1.0.0' }),
  });
  const [health, checks] = await Promise.all([millis(() => ({ method: 'GET', path: '/healthz' })), millis(check)]);
  agent.destroy();
  return { health, check: checks };
};
