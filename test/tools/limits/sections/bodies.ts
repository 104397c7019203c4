import { constant } from '../constant.ts';
import { bytes, type Section, seconds } from '../row.ts';

const JSON_BODIES = 'adapters/host/json-bodies.ts';
const PACE = 'adapters/host/body-pace.ts';
const FORM = 'adapters/web/account/form.ts';

export const BODIES: Section = {
  title: 'Bodies',
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
      bound: constant(JSON_BODIES, 'mostMs'),
      as: seconds,
      per: 'request',
      seen: '408',
      lifetime: '–',
    },
    {
      what: 'least rate of large JSON bodies, forms with files, and uploads',
      bound: [constant(PACE, 'bytesPerSecond'), constant(PACE, 'graceMs')],
      as: (rate = 0, ms = 0) => `${bytes(rate)} a second, ${seconds(ms)} behind it at most`,
      per: 'request',
      seen: '408',
      lifetime: '–',
    },
    {
      what: 'levels of arrays and objects in JSON, and in a message of MCP',
      bound: [
        constant('adapters/host/json-depth.ts', 'MAX_JSON_LEVELS'),
        constant('adapters/mcp/message.ts', 'MAX_LEVELS'),
      ],
      as: (levels, message) => `${levels} and ${message}`,
      per: 'request',
      seen: '400',
      lifetime: '–',
    },
    {
      what: 'a form of the account host',
      bound: [constant(FORM, 'MOST_BYTES'), constant(FORM, 'MOST_FIELDS')],
      as: (size = 0, fields) => `${bytes(size)}, ${fields} fields`,
      per: 'request',
      seen: '413 for too many bytes or fields',
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
    {
      what: 'any other body of the authorization server',
      bound: constant('node_modules/oidc-provider/lib/shared/selective_body.js', 'LIMIT'),
      as: bytes,
      per: 'request',
      seen: '400 `invalid_request`',
      lifetime: '–',
    },
  ],
};
