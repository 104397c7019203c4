import { constant, written } from '../constant.ts';
import { characters, type Row, type Section } from '../row.ts';

const FIELDS = 'ports/inbound/fields.ts';
const LOG = 'adapters/host/request-line.ts';

const text = (what: string, bound: Row['bound'], seen: string, per = 'field'): Row => ({
  what,
  bound,
  as: characters,
  per,
  seen,
  lifetime: '–',
});

export const FIELDS_AND_HEADERS: Section = {
  title: 'Fields and headers',
  text: 'The OpenAPI document has the bounds of each further field.',
  rows: [
    text(
      '`Idempotency-Key`, of visible ASCII characters',
      written('adapters/pipeline/input.ts', /x7e\]\{1,(\d+)\}/),
      '422',
      'header',
    ),
    text(
      '`X-Request-Id`, of at least 8 letters, digits and `_.:-`',
      written('adapters/host/host.ts', /\{8,(\d+)\}/),
      'an id of the server’s own',
      'header',
    ),
    text(
      'part of `Accept-Language` that is read',
      constant('adapters/host/locale.ts', 'LONGEST'),
      'nothing; the languages after it do not count',
      'header',
    ),
    text('path in the log', constant(LOG, 'LONGEST_PATH'), 'nothing; the log has its beginning', 'request'),
    text('method in the log', constant(LOG, 'LONGEST_METHOD'), 'nothing; the log has its beginning', 'request'),
    text('text in a path, such as a slug', constant(FIELDS, 'MAX_PATH_TEXT'), '404', 'path'),
    {
      what: 'integer that is written as a text',
      bound: written(FIELDS, /\^-\?\\d\{1,(\d+)\}/),
      as: (digits) => `${digits} digits`,
      per: 'field',
      seen: '422',
      lifetime: '–',
    },
    text('device id, on one line', constant('domain/devices/device-id.ts', 'LONGEST_DEVICE_ID'), '422'),
    text('name in an object of free content', constant('ports/inbound/bounded-object.ts', 'MAX_NAME'), '422'),
    text(
      '`commands` of a row of usage, as JSON',
      written('ports/inbound/api/devices.ts', /'commands', \{ characters: (\d+)/),
      '422',
    ),
    {
      what: 'moment of an install',
      bound: written('domain/devices/install-record.ts', /EARLIEST: Instant = '(\d{4})-/),
      as: (year) => `the year ${year} to a day ahead`,
      per: 'install',
      seen: '422',
      lifetime: '–',
    },
    text(
      'version of a client that asks for updates',
      written('ports/inbound/api/delivery.ts', /version: queryText\((\d+)/),
      '422',
    ),
    text('ticket of a feed in an address', written('ports/inbound/app/delivery.ts', /ticket: queryText\((\d+)/), '422'),
    text(
      'reason of a withdrawn release, on one line',
      written('runtimes/cli/values.ts', /Cc\}\]\{1,(\d+)\}/),
      'the command names the bound',
      'release',
    ),
    {
      what: 'file of a release',
      bound: constant('ports/outbound/artifact-signer.ts', 'MAX_SIGNED_BYTES'),
      as: () => '2 GiB less one byte',
      per: 'file',
      seen: 'the command names the bound',
      lifetime: '–',
    },
  ],
};
