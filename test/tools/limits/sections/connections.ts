import { constant } from '../constant.ts';
import { bytes, minutes, type Row, type Section, seconds } from '../row.ts';
import { DEFAULTS, setting } from '../settings.ts';

const BOUNDS = 'adapters/http/server-bounds.ts';
const GUARD = 'adapters/http/guarded-server.ts';
const METRICS = 'runtimes/express/metrics-server.ts';

const deadline = (what: string, name: string, seen: string, as = seconds): Row => ({
  what,
  bound: constant(BOUNDS, name),
  as,
  per: 'connection',
  seen,
  lifetime: '–',
});

export const CONNECTIONS: Section = {
  title: 'Connections',
  text:
    'The servers of `npm start` have these bounds; [Running the server](running.md) explains them. On AWS, API Gateway ' +
    'ends the connections.',
  rows: [
    {
      what: 'connections',
      bound: setting(DEFAULTS.connections.all),
      per: 'process',
      seen: '503',
      lifetime: 'while the connection is open',
      setting: 'MAX_CONNECTIONS',
    },
    {
      what: 'connections of one address; trusted proxies have no such bound',
      bound: setting(DEFAULTS.connections.perAddress),
      per: 'network address (IPv6: 64 bits)',
      seen: '503',
      lifetime: 'while the connection is open',
      setting: 'MAX_CONNECTIONS_PER_ADDRESS',
    },
    {
      what: 'connections that get the answer 503',
      bound: constant(GUARD, 'REFUSED_AT_ONCE'),
      per: 'server',
      seen: 'further ones are closed without an answer',
      lifetime: '2 seconds at most',
    },
    {
      what: 'connections to the address of the metrics',
      bound: [constant(METRICS, 'all'), constant(METRICS, 'perAddress')],
      as: (all = 0, ofClient = 0) => `${all}, ${ofClient} of one network address`,
      per: 'process',
      seen: '503',
      lifetime: 'while the connection is open',
    },
    {
      what: 'request line and headers together',
      bound: constant(BOUNDS, 'headerBytes'),
      as: bytes,
      per: 'request',
      seen: '431',
      lifetime: '–',
    },
    deadline('time for the request line and headers to arrive', 'headersMs', '408'),
    deadline('time for a whole request', 'requestMs', '408', minutes),
    {
      what: 'least rate of a body that no reader of the service takes',
      bound: [constant(BOUNDS, 'bodyBytesPerSecond'), constant(BOUNDS, 'bodyGraceMs')],
      as: (rate = 0, ms = 0) => `${bytes(rate)} a second, ${seconds(ms)} behind it at most`,
      per: 'request',
      seen: '408',
      lifetime: '–',
    },
    {
      what: 'requests that wait behind the one that is answered',
      bound: constant('adapters/http/in-turn.ts', 'WAITING_REQUESTS'),
      per: 'connection',
      seen: 'the connection closes',
      lifetime: 'until the answers before them are sent',
    },
    {
      what: 'requests that begin in one turn of the event loop',
      bound: constant('adapters/http/side-by-side.ts', 'WORKS_OF_TURN'),
      per: 'host',
      seen: 'nothing; further ones begin in the next turns',
      lifetime: '–',
    },
    {
      what: 'whole answers that their readers have not taken',
      bound: constant('adapters/http/unread-answers.ts', 'UNREAD_BYTES'),
      as: bytes,
      per: 'process',
      seen: 'the oldest such connection of the address that holds most closes',
      lifetime: 'until they are read or cut off',
    },
    deadline(
      'time without a byte in either direction, such as of a reader who stops',
      'idleMs',
      'the connection closes, after twice that time at most',
    ),
    deadline('time between two requests', 'keepAliveMs', 'the connection closes'),
    {
      what: 'rest of a refused body that is read and thrown away',
      bound: constant('adapters/http/discard.ts', 'LINGER_MS'),
      as: seconds,
      per: 'request',
      seen: 'the connection closes',
      lifetime: '–',
    },
    {
      what: 'time for requests to end when the server stops',
      bound: constant('runtimes/express/serve.ts', 'DRAIN_MS'),
      as: seconds,
      per: 'process',
      seen: 'the connection closes',
      lifetime: '–',
    },
  ],
};
