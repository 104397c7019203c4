import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { compare, type Side } from '../compare.ts';
import { atLeast, atMost, part } from '../part.ts';
import { IN_MEMORY, type Service, startService } from '../service.ts';
import { median } from '../statistics.ts';

const REQUESTS = 2000;

/** A header near Node's maximum size, with a language in each dozen bytes. */
const ACCEPT_LANGUAGE = Array.from({ length: 1000 }, (_, n) => `x${n}-ko;q=0.${n % 10}`)
  .join(', ')
  .slice(0, 13 * 1024);

/**
 * Compares localized requests that name a thousand languages with requests that name none, each on its own process, by
 * the requests that one second of the server's CPU time answers.
 */
const longHeaders = async (): Promise<{ long: number; none: number; ratio: number }> => {
  const side = async (more: Record<string, string>): Promise<Side> => {
    const server = await startService(IN_MEMORY);
    const headers = { Authorization: `Bearer ${server.more.key}`, ...more };
    return { server, shot: () => ({ method: 'GET', path: '/api/products/2', headers }) };
  };
  const [long, none] = [await side({ 'Accept-Language': ACCEPT_LANGUAGE }), await side({})];
  const { ours, bare, ratio } = await compare(long, none, REQUESTS);
  for (const { server } of [long, none]) server.stop();
  return { long: ours, none: bare, ratio: 1 / ratio };
};

const CALLERS = 12;
const SECONDS = 10;
const PAUSE_MS = 10;

/** As large as the endpoint accepts, and nested as deep as it is long. */
const NESTED = Buffer.alloc(256 * 1024, '[');

type Asked = { readonly method: string; readonly path: string; readonly headers?: Record<string, string | number> };

/** Sends a request, reads the whole response, and returns its status. */
const ask = (port: number, agent: Agent, { method, path, headers = {} }: Asked, body?: Buffer): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, agent, method, path, headers }, (answer) => {
      answer.once('error', reject).once('end', () => resolve(answer.statusCode ?? 0));
      answer.resume();
    });
    sent.once('error', reject).end(body);
  });

/**
 * The duration of each health check, in milliseconds, while callers over their rate limit send bodies that are refused
 * unread.
 */
const healthMillis = async ({ port, more: { key } }: Service): Promise<number[]> => {
  const agent = new Agent({ keepAlive: true });
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    'Content-Length': NESTED.length,
  };
  const call = () => ask(port, agent, { method: 'POST', path: '/api/device/usage', headers }, NESTED);
  await call();
  const end = performance.now() + SECONDS * 1000;
  const statuses: number[] = [];
  const caller = async (): Promise<void> => {
    while (performance.now() < end) statuses.push(await call());
  };
  const millis: number[] = [];
  const poll = async (): Promise<void> => {
    while (performance.now() < end) {
      const from = performance.now();
      const status = await ask(port, agent, { method: 'GET', path: '/healthz' });
      if (status !== 200) throw new Error(`A health check was answered ${status}.`);
      millis.push(performance.now() - from);
      await wait(PAUSE_MS);
    }
  };
  await Promise.all([poll(), ...Array.from({ length: CALLERS }, caller)]);
  agent.destroy();
  // In a new minute, the first call passes, and so do those that arrive before it was counted.
  const refused = statuses.filter((status) => status === 429).length;
  if (refused < statuses.length * 0.9) throw new Error(`Of ${statuses.length} calls, ${refused} were over the limit.`);
  return millis;
};

/** The median duration of a health check, in milliseconds, while twelve callers send refused nested bodies. */
const healthBesideRefused = async (): Promise<number> => {
  const server = await startService({ ...IN_MEMORY, BENCH_PER_ACCOUNT: '1' });
  const millis = await healthMillis(server);
  server.stop();
  return median(millis);
};

export const ABUSE = part({
  title: 'Requests that are made to cost the server more than their sender',
  ratios: {
    'requests with a 13 KB Accept-Language: rate vs. without': atLeast(0.6),
    '/healthz while twelve callers send rejected nested bodies: median ms, of 250': atMost(1),
  },
  figures: [
    'product without Accept-Language, CPU µs',
    'product with 13 KB of Accept-Language, CPU µs',
    '/healthz beside refused nested bodies, median ms',
  ],
  measure: async () => {
    const { long, none, ratio } = await longHeaders();
    const health = await healthBesideRefused();
    return {
      ratios: {
        'requests with a 13 KB Accept-Language: rate vs. without': ratio,
        '/healthz while twelve callers send rejected nested bodies: median ms, of 250': health / 250,
      },
      figures: {
        'product without Accept-Language, CPU µs': none,
        'product with 13 KB of Accept-Language, CPU µs': long,
        '/healthz beside refused nested bodies, median ms': health,
      },
    };
  },
});
