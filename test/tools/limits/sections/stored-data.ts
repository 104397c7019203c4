import { constant } from '../constant.ts';
import { bytes, days, plain, type Row, type Section } from '../row.ts';
import { DEFAULTS, setting } from '../settings.ts';

const DEVICE = 'domain/devices/device.ts';
const INSTALL = 'domain/devices/install-record.ts';
const USAGE = 'domain/devices/usage.ts';
const KEYS = 'domain/access/device-keys.ts';
const CHANGES = 'domain/audit/bounds.ts';
const ENTRY = 'domain/audit/event.ts';
const UNTIL_MIDNIGHT = 'until midnight UTC';

const KEY_ROWS: readonly Row[] = [
  {
    what: 'live keys',
    bound: constant('domain/access/key-quota.ts', 'LIVE_KEY_QUOTA'),
    per: 'account, and each product of it',
    seen: '`key_limit_reached`; device sign-in ends the key of the same client that was used longest ago',
    lifetime: 'until a key is revoked or expires',
  },
  {
    what: 'ended keys that are still listed',
    bound: constant('adapters/store/api-keys.ts', 'ENDED_KEYS_KEPT'),
    per: 'account, and each product of it',
    seen: 'nothing; the oldest are forgotten',
    lifetime: '–',
  },
  {
    what: 'idle time of a device key',
    bound: constant('domain/access/api-key.ts', 'DEVICE_KEY_IDLE_DAYS'),
    as: days,
    per: 'key',
    seen: '401',
    lifetime: '–',
  },
  {
    what: 'time in which a repeated bulk activation makes unused keys again',
    bound: [constant(KEYS, 'REPEATED_FROM_MS'), constant(KEYS, 'REPEATED_TO_MS')],
    as: (from = 0, to = 0) => `${from / 1000} seconds to ${to / 60_000} minutes; 24 hours with an \`Idempotency-Key\``,
    per: 'key',
    seen: 'the product is `existing`, without a value',
    lifetime: '–',
  },
];

const AUDIT_ROWS: readonly Row[] = [
  {
    what: 'changes that the audit log keeps, by keys, and apart from them on the account’s pages',
    bound: constant(CHANGES, 'CHANGES_A_DAY'),
    per: 'account and day (UTC)',
    seen: '429; what only ends access, such as the revocation of a key, is never refused',
    lifetime: UNTIL_MIDNIGHT,
  },
  {
    what: 'characters of a value, and of a record’s id, in an entry of the audit log',
    bound: [constant(ENTRY, 'VALUE_LENGTH'), constant(ENTRY, 'SUBJECT_LENGTH')],
    as: (value = 0, id = 0) => `${value} and ${id}`,
    per: 'entry',
    seen: 'the text is cut',
    lifetime: '–',
  },
  {
    what: 'changed fields in an entry of the audit log',
    bound: constant(ENTRY, 'FIELDS_KEPT'),
    per: 'entry',
    seen: 'no further fields',
    lifetime: '–',
  },
  {
    what: 'an entry of the audit log',
    bound: setting(DEFAULTS.auditDays),
    as: days,
    per: 'entry',
    seen: '–',
    lifetime: 'the days',
    setting: 'AUDIT_DAYS',
  },
];

export const STORED_DATA: Section = {
  title: 'Stored data per account',
  text:
    'A bound for a day refuses with 429 and the seconds until midnight UTC in `Retry-After`. Requests that arrive at ' +
    'the same moment may go a little beyond it.',
  rows: [
    ...KEY_ROWS,
    ...AUDIT_ROWS,
    {
      what: 'devices of a product without a device limit',
      bound: constant(DEVICE, 'MOST_DEVICES'),
      per: 'account and product',
      seen: '409',
      lifetime: 'until a device is released',
    },
    {
      what: 'devices in an answer of the API, and in a page of one product',
      bound: constant(DEVICE, 'DEVICES_LISTED'),
      per: 'answer',
      seen: '100 of the devices; the account’s pages show all',
      lifetime: '–',
    },
    {
      what: 'devices of each product on the page of all products',
      bound: constant('application/sign-in/list-own-devices.ts', 'DEVICES_OF_EACH'),
      per: 'product',
      seen: 'a link to the page of the product',
      lifetime: '–',
    },
    {
      what: 'first and last use of a product',
      bound: { value: 1, file: 'domain/devices/product-use.ts' },
      per: 'account and product',
      seen: 'nothing; it is written at most once a day',
      lifetime: 'for ever',
    },
    {
      what: 'progress of a setup',
      bound: { value: 1, file: 'adapters/store/setup-progresses.ts' },
      per: 'account and product',
      seen: 'nothing; the newest replaces the one before',
      lifetime: 'for ever',
    },
    {
      what: 'installs',
      bound: constant(INSTALL, 'most'),
      per: 'account and day (UTC)',
      seen: '429',
      lifetime: UNTIL_MIDNIGHT,
    },
    {
      what: 'an install',
      bound: constant(INSTALL, 'INSTALLS_KEPT_DAYS'),
      as: days,
      per: 'install',
      seen: '–',
      lifetime: '400 days',
    },
    {
      what: 'bytes of usage, as JSON',
      bound: constant(USAGE, 'most'),
      as: bytes,
      per: 'account and day (UTC)',
      seen: '429',
      lifetime: UNTIL_MIDNIGHT,
    },
    {
      what: 'oldest day whose usage is taken; a day ahead is the latest',
      bound: constant(USAGE, 'USAGE_TAKEN_DAYS'),
      as: (n = 0) => `${plain(n)} days before today`,
      per: 'row of usage',
      seen: '422',
      lifetime: '–',
    },
    {
      what: 'a row of usage',
      bound: constant(USAGE, 'USAGE_KEPT_DAYS'),
      as: (n = 0) => `${plain(n)} days after its date`,
      per: 'product, key and day',
      seen: '–',
      lifetime: '400 days',
    },
  ],
};
