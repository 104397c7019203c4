import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { checkSums } from './checksums.ts';
import { type Credentials, checkSignature, type Refusal } from './signature.ts';

const refuse = (res: ServerResponse, { status, code, message }: Refusal): void => {
  res.writeHead(status, { 'Content-Type': 'application/xml' });
  res.end(`<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
};

const forward = (req: IncomingMessage, res: ServerResponse, body: Buffer, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const { method, url, headers } = req;
    const passed = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
      answer.once('end', resolve);
      answer.once('error', reject);
    });
    passed.once('error', reject);
    passed.end(body);
  });

/**
 * Opens a proxy in front of moto's server that adds the checks of S3 that moto lacks: signatures, the expiry of signed
 * URLs, and checksums of uploads. It also serializes the writes of each key, so that conditional writes are atomic.
 */
export const openStrictS3 = async (
  motoPort: number,
  credentials: Credentials,
): Promise<{ url: string; close: () => void }> => {
  const writes = new Map<string, Promise<void>>();
  const inTurn = (path: string, write: () => Promise<void>): Promise<void> => {
    const done = (writes.get(path) ?? Promise.resolve()).then(write);
    writes.set(
      path,
      done.catch(() => {}),
    );
    return done;
  };
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const url = new URL(req.url ?? '/', 'http://s3');
    const body = await buffer(req);
    const refusal = checkSignature(req, url, credentials) ?? checkSums(req.headers, body);
    if (refusal) return refuse(res, refusal);
    const pass = () => forward(req, res, body, motoPort);
    return req.method === 'GET' || req.method === 'HEAD' ? pass() : inTurn(url.pathname, pass);
  };
  const server = createServer((req, res) => {
    answer(req, res).catch(() => res.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
};
