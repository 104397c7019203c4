import { tmpdir } from 'node:os';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import express from 'express';
import serverlessHttp from 'serverless-http';
import { fetchHandler } from '../../../../adapters/fetch/fetch-handler.ts';
import { SpoolFolder } from '../../../../adapters/host/spool.ts';
import { hostApp } from '../../../../adapters/http/host-app.ts';
import { expressApp, gatewayAddress } from '../../../../adapters/lambda-events/express-app.ts';
import { buffered } from '../../../../adapters/lambda-events/host-function.ts';
import { checkLicense } from '../../../../ports/inbound/api/licensing.ts';
import { byHost } from '../../../../ports/inbound/hosts.ts';
import { EVERY_AREA } from '../../../../runtimes/composition/areas/all-areas.ts';
import { bootstrap } from '../../../../runtimes/composition/bootstrap.ts';
import { openHost } from '../../../../runtimes/composition/hosts.ts';
import { readConfig } from '../../../../runtimes/configuration/config.ts';
import { openEngines } from '../../../../runtimes/engines/open-engines.ts';
import { answerParent, readProcess } from '../child.ts';
import type { Mount } from '../parts/function-cpu.ts';
import { fillStore, PRODUCTS } from '../store.ts';

/**
 * A process without a server that makes license checks on the memory engine one after another: as events of a function
 * (`function`), as events of the service's Express app in serverless-http (`express`), as events of a minimal Express
 * app in it (`bare`), or as Fetch requests (`fetch`).
 */
const url = 'https://api.example.com';
const path = '/api/license/check';

const bodyOf = (n: number): string =>
  JSON.stringify({
    product_id: (n % PRODUCTS) + 1,
    device_id: `device-${Math.floor(n / PRODUCTS) % 10}`,
    app_version: '1.2.0',
  });

const eventOf = (key: string, n: number): APIGatewayProxyEvent =>
  ({
    httpMethod: 'POST',
    path,
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
    body: bodyOf(n),
    requestContext: {
      requestId: 'bench',
      identity: { sourceIp: '127.0.0.1' },
      stage: 'bench',
      path,
    },
  }) as unknown as APIGatewayProxyEvent;

/** Makes one check and returns its status. */
type Check = (n: number) => Promise<number>;

const openService = async () => {
  const urls = byHost(() => url);
  const engines = await openEngines(readConfig({ STORE: 'memory', OBJECTS: 'memory' }), urls);
  const service = bootstrap(
    { urls, perAccount: 1e9, perAgent: 1e9, perAddress: 1e9, catalogAge: 'unbounded' },
    engines,
    EVERY_AREA,
  );
  const { key } = await fillStore(service);
  const options = { log: () => undefined, fault: () => undefined, health: () => engines.table.ping() };
  return { key, options, host: openHost('api', { service, urls, options, spool: new SpoolFolder(tmpdir()) }) };
};

const asFunction = async (): Promise<Check> => {
  const { key, host } = await openService();
  const answer = buffered(host);
  return async (n) => (await answer(eventOf(key, n))).statusCode;
};

const asExpress = async (): Promise<Check> => {
  const { key, host, options } = await openService();
  const answer = expressApp(hostApp(host, options, gatewayAddress));
  return async (n) => (await answer(eventOf(key, n), {} as Context)).statusCode;
};

const asFetch = async (): Promise<Check> => {
  const { key, host } = await openService();
  const answer = fetchHandler(host, () => '127.0.0.1');
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  return async (n) => {
    const response = await answer(new Request(`${url}${path}`, { method: 'POST', headers, body: bodyOf(n) }));
    await response.arrayBuffer();
    return response.status;
  };
};

const bare = async (): Promise<Check> => {
  const app = express();
  app.post(path, express.json(), (req, res) => {
    const body = checkLicense.body().safeParse(req.body);
    if (body.success) res.json({ valid: true, ...body.data });
    else res.status(422).json({ message: 'The given data was invalid.' });
  });
  const answer = serverlessHttp(app);
  return async (n) => ((await answer(eventOf('a-key-of-the-bench', n), {})) as { statusCode: number }).statusCode;
};

/** Waits for an event's deferred work, so that its CPU time counts for that event. */
const tick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

const check = await { function: asFunction, express: asExpress, fetch: asFetch, bare }[
  process.env['BENCH_MOUNT'] as Mount
]();

/** Makes checks, and returns the CPU microseconds per check. */
const run = async (count: number): Promise<number> => {
  const before = process.cpuUsage();
  for (let n = 0; n < count; n++) {
    const status = await check(n);
    if (status !== 200) throw new Error(`A license check was answered ${status}.`);
    await tick();
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
};

answerParent({}, { read: readProcess, run });
