import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Asked, isAllowed, type Statement } from '../../../infra/test/iam/evaluate.ts';
import type { Places } from '../../../infra/test/iam/policies.ts';
import { dynamodbUrl, s3Url } from '../support/fault-proxy.ts';
import { dynamodbAsked } from './dynamodb-calls.ts';
import { s3Asked } from './s3-calls.ts';

/** A proxy between one function and the local servers that checks each call against the function's policy. */
export type Guard = {
  readonly url: string;
  /** The allowed calls, and the function's own refused ones; each kind once. */
  readonly allowed: ReadonlyMap<string, Asked>;
  readonly refused: ReadonlyMap<string, Asked>;
  readonly close: () => void;
};

type Call = {
  /** The operation of DynamoDB; undefined for a call of S3. */
  readonly operation: string | undefined;
  readonly method: string;
  readonly url: URL;
  readonly req: IncomingMessage;
  readonly body: Buffer;
};

const refuse = (res: ServerResponse, { operation, method }: Call): void => {
  if (operation !== undefined) {
    const __type = 'com.amazon.coral.service#AccessDeniedException';
    res.writeHead(400, { 'Content-Type': 'application/x-amz-json-1.0' });
    res.end(JSON.stringify({ __type, Message: 'No statement allows the call.' }));
    return;
  }
  const text = '<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>';
  res.writeHead(403, { 'Content-Type': 'application/xml' }).end(method === 'HEAD' ? undefined : text);
};

/** True for a read of one object, but not of the bucket. */
const readsObject = ({ operation, method, url }: Call): boolean =>
  operation === undefined && (method === 'GET' || method === 'HEAD') && /^\/[^/]+\/./.test(url.pathname);

/**
 * Forwards a call. S3 answers 403 for a missing object to a caller that may not list the bucket, and its documentation
 * does not say what applies if that permission has a condition on the prefix; so the guard always answers 403.
 */
const pass = (res: ServerResponse, call: Call): void => {
  const { operation, method, req, body } = call;
  const { hostname: host, port } = new URL(operation === undefined ? s3Url() : dynamodbUrl());
  const passed = request({ host, port, method, path: req.url, headers: req.headers }, (answer) => {
    if (answer.statusCode === 404 && readsObject(call)) {
      answer.resume();
      return refuse(res, call);
    }
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(res);
  });
  passed.once('error', () => res.destroy()).end(body);
};

const askedBy = ({ operation, method, url, req, body }: Call, places: Places): Asked[] =>
  operation === undefined
    ? s3Asked({ method, url, headers: req.headers }, places)
    : dynamodbAsked(operation, body.toString(), places.table);

const nameOf = ({ action, resource, context }: Asked): string => JSON.stringify([action, resource, context]);

/** Opens a guard that checks against these statements. */
export const openGuard = async (statements: readonly Statement[], places: Places): Promise<Guard> => {
  const [allowed, refused] = [new Map<string, Asked>(), new Map<string, Asked>()];
  const judge = (call: Call): boolean => {
    const asked = askedBy(call, places);
    const denied = asked.filter((one) => !isAllowed(statements, one));
    // A client may do anything with a URL that a function signed, and is refused as on AWS.
    const isOfClient = call.url.searchParams.has('X-Amz-Signature');
    for (const one of asked) {
      if (!denied.includes(one)) allowed.set(nameOf(one), one);
      else if (!isOfClient) refused.set(nameOf(one), one);
    }
    return denied.length === 0;
  };
  const server = createServer(async (req, res) => {
    const body = await buffer(req).catch(() => undefined);
    if (!body) return;
    const operation = String(req.headers['x-amz-target'] ?? '').split('.')[1];
    const { method = 'GET', url = '/' } = req;
    const call = { operation, method, url: new URL(url, 'http://s3'), req, body };
    if (judge(call)) pass(res, call);
    else refuse(res, call);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, allowed, refused, close };
};
