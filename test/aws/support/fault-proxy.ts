import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * The fate of a request. `pass` forwards it, `silence` never answers it, and `lose` forwards it and drops the
 * response. An object is the proxy's own response.
 */
export type Fate = 'pass' | 'silence' | 'lose' | { readonly status: number; readonly body: object | string };

/** A request to the proxy. Its operation is DynamoDB's, or the method and path of S3. */
export type Asked = { readonly operation: string; readonly body: string };

export type FaultProxy = {
  readonly url: string;
  /** All requests so far. */
  readonly asked: Asked[];
  /** Decides the fate of each request. By default all pass. */
  decide: (asked: Asked) => Fate;
  readonly close: () => Promise<void>;
};

/** An error response in DynamoDB's format. */
export const dynamodbError = (type: string, more: object = {}, status = 400): Fate => ({
  status,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: `It is ${type}.`, ...more },
});

/** Returns the fates in order, and then `pass`. */
export const inTurn = (...fates: readonly Fate[]): (() => Fate) => {
  const left = [...fates];
  return () => left.shift() ?? 'pass';
};

const forward = (req: IncomingMessage, res: ServerResponse, body: Buffer, target: URL, isLost: boolean): void => {
  const { method, url, headers } = req;
  const passed = request({ host: target.hostname, port: target.port, method, path: url, headers }, (answer) => {
    if (isLost) {
      answer.resume().once('end', () => res.destroy());
      return;
    }
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(res);
  });
  passed.once('error', () => res.destroy()).end(body);
};

/** Opens a proxy that simulates the faults of networks and busy stores. */
export const openFaultProxy = async (target: string): Promise<FaultProxy> => {
  const server = createServer(async (req, res) => {
    const body = await buffer(req).catch(() => undefined);
    if (!body) return;
    const operation = String(req.headers['x-amz-target'] ?? '').split('.')[1] ?? `${req.method} ${req.url}`;
    const asked = { operation, body: body.toString() };
    proxy.asked.push(asked);
    const fate = proxy.decide(asked);
    if (fate === 'silence') return;
    if (fate === 'pass' || fate === 'lose') return forward(req, res, body, new URL(target), fate === 'lose');
    const isText = typeof fate.body === 'string';
    res.writeHead(fate.status, { 'Content-Type': isText ? 'application/xml' : 'application/x-amz-json-1.0' });
    res.end(isText ? fate.body : JSON.stringify(fate.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: FaultProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    decide: () => 'pass',
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return proxy;
};

const setting = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; run these tests by: npm run test:aws`);
  return value;
};

/** The address of the DynamoDB server that test/aws/run.ts started. */
export const dynamodbUrl = (): string => setting('AWS_ENDPOINT_URL_DYNAMODB');
export const s3Url = (): string => setting('AWS_ENDPOINT_URL_S3');

/** Runs `work` and returns its duration in milliseconds, with its value or error. */
export const timed = async <T>(work: () => Promise<T>): Promise<{ ms: number; value?: T; error?: unknown }> => {
  const begin = performance.now();
  try {
    const value = await work();
    return { ms: performance.now() - begin, value };
  } catch (error) {
    return { ms: performance.now() - begin, error };
  }
};
