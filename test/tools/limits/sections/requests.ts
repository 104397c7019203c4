import { constant } from '../constant.ts';
import { type Section, seconds } from '../row.ts';
import { DEFAULTS, setting } from '../settings.ts';

const MINUTE = 'the clock minute';

export const REQUESTS: Section = {
  title: 'Requests and rates',
  text:
    'Every request counts, except `GET /healthz` ([ADR 27](adr/0027-every-request-counts.md)). The window of a rate is ' +
    'the clock minute. A caller that was seen over its limit is refused from memory until its minute ends. An IPv6 ' +
    'network of 64 bits counts as one address.',
  rows: [
    {
      what: 'calls with keys or sign-in tokens',
      bound: setting(DEFAULTS.ratePerAccount),
      per: 'account and minute',
      seen: '429',
      lifetime: MINUTE,
      setting: 'RATE_LIMIT_PER_MINUTE',
    },
    {
      what: 'calls of a design agent',
      bound: setting(DEFAULTS.ratePerAgent),
      per: 'agent and minute',
      seen: '429',
      lifetime: MINUTE,
      setting: 'RATE_LIMIT_AGENT_PER_MINUTE',
    },
    {
      what:
        'calls without a credential or with a wrong one, unknown paths, wrong methods, the reference, the OpenAPI ' +
        'document, public keys, metadata, skill files, and pages of the gallery and of visitors',
      bound: setting(DEFAULTS.ratePerAddress),
      per: 'network address and minute',
      seen: '429',
      lifetime: MINUTE,
      setting: 'RATE_LIMIT_ANONYMOUS_PER_MINUTE',
    },
    {
      what:
        'files: signed downloads and uploads, images, saved pages, style sheets and scripts of pages, and preflight ' +
        'requests',
      bound: setting(DEFAULTS.filesPerAddress),
      per: 'network address and minute',
      seen: '429',
      lifetime: MINUTE,
      setting: 'RATE_LIMIT_FILES_PER_MINUTE',
    },
    {
      what: 'answer to a preflight request in a browser',
      bound: constant('adapters/host/cross-origin.ts', 'KEPT_SECONDS'),
      as: (s = 0) => seconds(s * 1000),
      per: 'browser',
      seen: '–',
      lifetime: '10 minutes',
    },
    {
      what: 'callers whose requests of the minute a process remembers',
      bound: constant('application/access/seen-requests.ts', 'REMEMBERED'),
      per: 'process',
      seen: 'nothing; a forgotten caller is refused by the store',
      lifetime: MINUTE,
    },
    {
      what: 'answers kept for an `Idempotency-Key`',
      bound: constant('domain/access/replay.ts', 'REPLAY_HOURS'),
      as: (hours) => `${hours} hours`,
      per: 'key of a request',
      seen: 'a new request is done anew afterwards',
      lifetime: '24 hours',
    },
    {
      what: 'request with an `Idempotency-Key` that has no answer yet',
      bound: constant('domain/access/replay.ts', 'ABANDONED_MS'),
      as: seconds,
      per: 'key of a request',
      seen: '409; after that time a repetition is done anew',
      lifetime: '60 seconds',
    },
    {
      what: 'entries on a page',
      bound: constant('domain/shared/paging.ts', 'MAX_PAGE_SIZE'),
      per: 'request for a list',
      seen: '422',
      lifetime: '–',
    },
    {
      what: 'number of a page',
      bound: constant('ports/inbound/fields.ts', 'MAX_PAGE'),
      per: 'request for a list',
      seen: '422',
      lifetime: '–',
    },
  ],
};
