import { constant } from '../constant.ts';
import { bytes, type Section } from '../row.ts';

const JSON_BODIES = 'adapters/host/json-bodies.ts';
const SECONDS = (ms: number): string => `${ms / 1000} seconds`;

export const CONNECTIONS_AND_BODIES: Section = {
  title: 'Connections and bodies',
  text: 'A large body is one of more than 16 KiB, of an unknown length, or packed.',
  rows: [
    {
      what: 'large JSON bodies on their way',
      bound: constant(JSON_BODIES, 'bytes'),
      as: bytes,
      per: 'process',
      seen: '503',
      lifetime: 'until the body has arrived',
    },
    {
      what: 'large JSON bodies of one caller on their way',
      bound: constant(JSON_BODIES, 'bytesPerCaller'),
      as: bytes,
      per: 'account, agent or address',
      seen: '503',
      lifetime: 'until the body has arrived',
    },
    {
      what: 'time for a large JSON body to arrive',
      bound: constant(JSON_BODIES, 'readMs'),
      as: SECONDS,
      per: 'request',
      seen: '408',
      lifetime: '–',
    },
    {
      what: 'rest of a refused body that is read and thrown away',
      bound: constant('adapters/http/discard.ts', 'LINGER_MS'),
      as: SECONDS,
      per: 'request',
      seen: 'the connection closes',
      lifetime: '–',
    },
    {
      what: 'time for requests to end when the server stops',
      bound: constant('runtimes/express/serve.ts', 'DRAIN_MS'),
      as: SECONDS,
      per: 'process',
      seen: 'the connection closes',
      lifetime: '–',
    },
    {
      what: 'a form of the account host',
      bound: [
        constant('adapters/web/account/form.ts', 'MOST_BYTES'),
        constant('adapters/web/account/form.ts', 'MOST_FIELDS'),
      ],
      as: (size = 0, fields) => `${bytes(size)}, ${fields} fields`,
      per: 'request',
      seen: '413',
      lifetime: '–',
    },
    {
      what: 'metadata of a client that registers, and the body that begins a device sign-in',
      bound: [
        constant('adapters/oauth/client-metadata.ts', 'MAX_BYTES'),
        constant('adapters/oauth/device-authorization.ts', 'MAX_BODY'),
      ],
      as: (...sizes) => [...new Set(sizes.map(bytes))].join(' and '),
      per: 'request',
      seen: '400',
      lifetime: '–',
    },
  ],
};
