import { tmpdir } from 'node:os';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import express from 'express';
import serverlessHttp from 'serverless-http';
import { hostRoutes } from '../../adapters/http/api.ts';
import { hostApp } from '../../adapters/http/app.ts';
import { SpoolFolder } from '../../adapters/http/spool.ts';
import { checkLicense } from '../../ports/inbound/license.ts';
import { bootstrap } from '../../runtimes/composition/bootstrap.ts';
import { readConfig } from '../../runtimes/composition/config.ts';
import { openEngines } from '../../runtimes/composition/engines.ts';
import { buffered } from '../../runtimes/lambda/buffered.ts';
import { takeTurns } from './load.ts';
import { fillStore } from './store.ts';

const EVENTS = 2000;
const ROUNDS = 7;
/** As many as the servers of the benchmark get: most of what comes before is V8 compiling. */
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

/** What an event put off until the current run of promises is over counts for whoever was called by it. */
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

/** CPU microseconds of a license check as a function, on the memory engine, against bare Express in serverless-http. */
export const functionCpu = async (): Promise<{ ours: number; bare: number; ratio: number }> => {
  const url = 'https://api.example.com';
  const urls = { api: url, design: url, app: url, account: url };
  const engines = await openEngines(readConfig({ STORE: 'memory', OBJECTS: 'memory' }), url);
  const service = bootstrap({ urls, perAccount: 1e9, perAddress: 1e9, catalogAge: 'unbounded' }, engines);
  const { key } = await fillStore(service);
  const ours = buffered(
    hostApp([hostRoutes('api', service.get('invoker'), new SpoolFolder(tmpdir()))], {
      trustedProxies: [],
      log: () => undefined,
      fault: () => undefined,
      health: () => engines.table.ping(),
    }),
  ) as unknown as Answer;
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
