import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { drain, type Listeners, listenOn } from '../../../runtimes/express/serve.ts';

let listening: Listeners<'api'>;
let agent: Agent;
beforeEach(async () => {
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
  listening = await listenOn({ api: 0 }, () => '127.0.0.1');
  listening.handle(() => (_, res) => void res.end());
});
afterEach(async () => {
  agent.destroy();
  await drain(listening);
});

/** One request on the agent's connection. */
const ask = async (): Promise<
  readonly [status: number | undefined, connection: string | undefined, isKept: boolean]
> => {
  const sent = get(listening.urls.api, { agent });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'close');
  return [response.statusCode, response.headers.connection, sent.reusedSocket];
};

test('a replaced server answers a last request on each open connection, so a stop ends at once', async () => {
  expect(await ask()).toEqual([200, 'keep-alive', false]);
  const drained = drain(listening, true);
  expect(await ask()).toEqual([200, 'close', true]);
  await drained;
});

test('a stop shortens the time that a server has after it was replaced', async () => {
  await ask();
  const drained = drain(listening, true);
  await drain(listening);
  await drained;
});
