import { constant } from '../constant.ts';
import { bytes, type Section } from '../row.ts';

export const STORED_DATA: Section = {
  title: 'Stored data per account',
  rows: [
    {
      what: 'live keys',
      bound: constant('domain/access/key-quota.ts', 'LIVE_KEY_QUOTA'),
      per: 'account, and each product of it',
      seen: '`key_limit_reached`; device sign-in ends the key that was used longest ago',
      lifetime: 'until a key is revoked or expires',
    },
    {
      what: 'ended keys that are still listed',
      bound: constant('adapters/store/api-keys.ts', 'ENDED_KEYS_KEPT'),
      per: 'account',
      seen: 'nothing; the oldest are forgotten',
      lifetime: '–',
    },
    {
      what: 'idle time of a device key',
      bound: constant('domain/access/api-key.ts', 'DEVICE_KEY_IDLE_DAYS'),
      as: (days) => `${days} days`,
      per: 'key',
      seen: '401',
      lifetime: '–',
    },
    {
      what: 'bytes of reports’ files',
      bound: constant('domain/support/ticket.ts', 'FILE_BYTES_A_DAY'),
      as: bytes,
      per: 'account and day (UTC)',
      seen: 'the report is accepted without its file',
      lifetime: 'until midnight UTC',
    },
    {
      what: 'reports of a ticket whose files are kept',
      bound: constant('domain/support/ticket.ts', 'FILES_KEPT'),
      per: 'ticket',
      seen: 'the report is accepted without its file',
      lifetime: '–',
    },
    {
      what: 'days for which a report’s file is kept',
      bound: constant('domain/support/ticket.ts', 'FILES_KEPT_DAYS'),
      per: 'file',
      seen: '–',
      lifetime: '90 days',
    },
    {
      what: 'new groups of errors of one application',
      bound: constant('domain/support/error-overflow.ts', 'NEW_GROUPS_OF_APP'),
      per: 'application and day (UTC)',
      seen: 'nothing; further errors share one group',
      lifetime: 'until midnight UTC',
    },
    {
      what: 'new groups of errors of all applications',
      bound: constant('domain/support/error-overflow.ts', 'NEW_GROUPS_OF_STORE'),
      per: 'store and day (UTC)',
      seen: 'nothing; further errors share one group',
      lifetime: 'until midnight UTC',
    },
    {
      what: 'error reports that are kept of a group',
      bound: constant('domain/support/error-report.ts', 'REPORTS_KEPT'),
      per: 'group',
      seen: 'nothing; the newest are kept',
      lifetime: '90 days',
    },
  ],
};
