import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { inTurn } from '../../../adapters/http/guarded-server.ts';

let server: Server;

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const serve = async (listener: RequestListener): Promise<number> => {
  const turns = inTurn((socket) => socket.destroy());
  server = createServer((req, res) => turns(req, res, listener)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

const request = (n: number): string => `GET /${n} HTTP/1.1\r\nHost: a\r\n\r\n`;

test('pipelined requests are answered in order', async () => {
  let running = 0;
  const most: number[] = [];
  const port = await serve(async (req, res) => {
    most.push(++running);
    await wait(5);
    running--;
    res.end(`answer ${req.url}`);
  });
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.write([1, 2, 3].map(request).join(''));
  let received = '';
  for await (const chunk of socket) {
    received += chunk;
    if (received.includes('answer /3')) break;
  }
  expect(most).toEqual([1, 1, 1]);
  expect(received.match(/answer \/\d/g)).toEqual(['answer /1', 'answer /2', 'answer /3']);
});

test('a client that reads no response gets its next request started only once it reads', async () => {
  const begun: string[] = [];
  const large = Buffer.alloc(32 * 1024 * 1024);
  const port = await serve((req, res) => {
    begun.push(req.url ?? '');
    res.end(large);
  });
  const socket = connect(port, '127.0.0.1').pause();
  socket.write([1, 2].map(request).join(''));
  while (begun.length === 0) await wait(5);
  await wait(200);
  expect(begun).toEqual(['/1']);
  socket.resume();
  while (begun.length < 2) await wait(5);
  socket.destroy();
});

test('a request is not started once its connection is closed', async () => {
  const begun: string[] = [];
  const port = await serve((req, res) => {
    begun.push(req.url ?? '');
    res.once('close', () => closed.resolve());
  });
  const closed = Promise.withResolvers<void>();
  const socket = connect(port, '127.0.0.1');
  socket.write([1, 2].map(request).join(''));
  while (begun.length === 0) await wait(5);
  socket.destroy();
  await closed.promise;
  await wait(20);
  expect(begun).toEqual(['/1']);
});
