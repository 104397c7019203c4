import { constant } from '../constant.ts';
import type { Section } from '../row.ts';

export const FILES: Section = {
  title: 'Files',
  rows: [
    {
      what: 'life of a signed download link',
      bound: constant('application/delivery/sign-file.ts', 'DOWNLOAD_MINUTES'),
      as: (minutes) => `${minutes} minutes`,
      per: 'link',
      seen: '403; ask for another link',
      lifetime: '15 minutes',
    },
    {
      what: 'life of a link in a feed that was read with a key',
      bound: constant('application/delivery/release-tickets.ts', 'LIFE_SECONDS'),
      as: (seconds = 0) => `${seconds / 3600} hours`,
      per: 'link',
      seen: '403; read the feed again',
      lifetime: '25 hours',
    },
    {
      what: 'forms with files on their way',
      bound: constant('adapters/host/spool.ts', 'FORMS_AT_ONCE'),
      per: 'process',
      seen: '503',
      lifetime: 'until the form has arrived',
    },
    {
      what: 'forms with files of one caller on their way',
      bound: constant('adapters/host/spool.ts', 'FORMS_OF_CALLER'),
      per: 'account or agent',
      seen: '503',
      lifetime: 'until the form has arrived',
    },
    {
      what: 'uploads to signed links on their way',
      bound: constant('adapters/host/uploads.ts', 'UPLOADS_AT_ONCE'),
      per: 'process',
      seen: '503',
      lifetime: 'until the file has arrived',
    },
    {
      what: 'uploads to signed links of one address on their way',
      bound: constant('adapters/host/uploads.ts', 'UPLOADS_OF_ADDRESS'),
      per: 'network address',
      seen: '503',
      lifetime: 'until the file has arrived',
    },
    {
      what: 'spooled files of a process that was killed',
      bound: constant('adapters/host/spool.ts', 'LEFT_AFTER_MS'),
      as: (ms = 0) => `${ms / 60_000} minutes`,
      per: 'file',
      seen: '–',
      lifetime: 'removed by the next daily sweep',
    },
  ],
};
