import { readConfig } from '../../../runtimes/composition/config.ts';
import type { Constant } from '../constant.ts';
import { constant } from '../constant.ts';
import type { Section } from '../row.ts';

const DEFAULTS = readConfig({});
const CONFIG = 'runtimes/composition/config.ts';
const setting = (value: number): Constant => ({ value, file: CONFIG });

export const REQUESTS: Section = {
  title: 'Requests and rates',
  text: 'The window of a rate is the clock minute. A caller that was seen over its limit is refused from memory until its minute ends.',
  rows: [
    {
      what: 'calls with keys or sign-in tokens',
      bound: setting(DEFAULTS.ratePerAccount),
      per: 'account and minute',
      seen: '429',
      lifetime: 'the clock minute',
      setting: 'RATE_LIMIT_PER_MINUTE',
    },
    {
      what: 'calls of a design agent',
      bound: setting(DEFAULTS.ratePerAgent),
      per: 'agent and minute',
      seen: '429',
      lifetime: 'the clock minute',
      setting: 'RATE_LIMIT_AGENT_PER_MINUTE',
    },
    {
      what: 'calls without a credential, or with a wrong one',
      bound: setting(DEFAULTS.ratePerAddress),
      per: 'network address and minute',
      seen: '429',
      lifetime: 'the clock minute',
      setting: 'RATE_LIMIT_ANONYMOUS_PER_MINUTE',
    },
    {
      what: 'callers over their limit that a process remembers',
      bound: constant('application/access/limit-rate.ts', 'REMEMBERED'),
      per: 'process',
      seen: 'nothing; a forgotten caller is refused by the store',
      lifetime: 'the clock minute',
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
