import { tmpdir } from 'node:os';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import express from 'express';
import serverlessHttp from 'serverless-http';
import { SpoolFolder } from '../../../adapters/host/spool.ts';
import { buffered } from '../../../adapters/lambda-events/buffered.ts';
import { checkLicense } from '../../../ports/inbound/api/licensing.ts';
import { EVERY_AREA } from '../../../runtimes/composition/areas/everything.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { readConfig } from '../../../runtimes/composition/config.ts';
import { openEngines } from '../../../runtimes/composition/engines.ts';
import { openHost } from '../../../runtimes/composition/hosts.ts';
import { atMost, part } from '../part.ts';
import { takeTurns } from '../statistics.ts';
import { fillStore } from '../store.ts';

const EVENTS = 2000;
const ROUNDS = 7;
/** The events before a measurement, as many as for the servers. Before that, V8 mostly compiles. */
const WARM_UP = 10_000;

type Answer = (event: APIGatewayProxyEvent, context: Context) => Promise<unknown>;

const eventOf = (key: string, n: number): APIGatewayProxyEvent =>
  ({
    httpMethod: 'POST',
    path: '/api/license/check',
    resource: '/{proxy+}',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Host: 'api.example.com' },
    multiValueHeaders: {
      Authorization: [`Bearer ${key}`],
      'Content-Type': ['application/json'],
      Host: ['api.example.com'],
    },
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: { proxy: 'api/license/check' },
    stageVariables: null,
    isBase64Encoded: false,
    body: JSON.stringify({ product_id: (n % 50) + 1, device_id: `device-${n % 10}`, app_version: '1.2.0' }),
    requestContext: {
      requestId: 'bench',
      identity: { sourceIp: '127.0.0.1' },
      stage: 'bench',
      path: '/api/license/check',
    },
  }) as unknown as APIGatewayProxyEvent;

/** Waits for deferred work of an event, so that its CPU time counts for that event. */
const tick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

const cpuPerEvent = async (answer: Answer, key: string, events = EVENTS): Promise<number> => {
  const before = process.cpuUsage();
  for (let n = 0; n < events; n++) {
    const result = (await answer(eventOf(key, n), {} as Context)) as APIGatewayProxyResult;
    if (result.statusCode !== 200) throw new Error(`A license check was answered ${result.statusCode}.`);
    await tick();
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / events;
};

/** Compares the CPU time of a license check as a function, on the memory engine, with bare Express alike. */
const functionCpu = async (): Promise<{ ours: number; bare: number; ratio: number }> => {
  const url = 'https://api.example.com';
  const urls = { api: url, design: url, app: url, account: url };
  const engines = await openEngines(readConfig({ STORE: 'memory', OBJECTS: 'memory' }), urls);
  const service = bootstrap(
    { urls, perAccount: 1e9, perAgent: 1e9, perAddress: 1e9, catalogAge: 'unbounded' },
    engines,
    EVERY_AREA,
  );
  const { key } = await fillStore(service);
  const ours = buffered(
    openHost('api', {
      service,
      urls,
      options: { log: () => undefined, fault: () => undefined, health: () => engines.table.ping() },
      spool: new SpoolFolder(tmpdir()),
    }),
  );
  const app = express();
  app.post('/api/license/check', express.json(), (req, res) => {
    const body = checkLicense.body.safeParse(req.body);
    if (body.success) res.json({ valid: true, ...body.data });
    else res.status(422).json({ message: 'The given data was invalid.' });
  });
  const bare = serverlessHttp(app) as unknown as Answer;
  await cpuPerEvent(ours, key, WARM_UP);
  await cpuPerEvent(bare, key, WARM_UP);
  return takeTurns(
    ROUNDS,
    () => cpuPerEvent(ours, key),
    () => cpuPerEvent(bare, key),
  );
};

export const FUNCTION_CPU = part({
  title: 'A license check as a function',
  text: 'CPU time of an event, on the memory engine, beside Express in serverless-http.',
  ratios: { 'license check as a function: CPU against bare': atMost(1) },
  figures: ['license check as a function, CPU µs', 'bare Express as a function, CPU µs'],
  measure: async () => {
    const { ours, bare, ratio } = await functionCpu();
    return {
      ratios: { 'license check as a function: CPU against bare': ratio },
      figures: { 'license check as a function, CPU µs': ours, 'bare Express as a function, CPU µs': bare },
    };
  },
});
