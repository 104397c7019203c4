import { constant } from '../constant.ts';
import { minutes, type Section } from '../row.ts';

const ENGINES = 'runtimes/composition/engines/built-in.ts';
const PICTURES = 'domain/catalog/pictures.ts';

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
      as: (seconds = 0) => `${seconds / 3600 - 1} to ${seconds / 3600} hours`,
      per: 'link',
      seen: '401; read the feed again',
      lifetime: 'not longer than the key that read the feed',
    },
    {
      what: 'pictures in HTML that get signed addresses',
      bound: constant(PICTURES, 'MOST_PICTURES'),
      per: 'document',
      seen: 'further pictures keep the address that asks for a key',
      lifetime: '–',
    },
    {
      what: 'life of the signed address of a picture',
      bound: [constant(PICTURES, 'PICTURE_LEAST_MS'), constant(PICTURES, 'PICTURE_PERIOD_MS')],
      as: (least = 0, period = 0) => `${least / 60_000} to ${(least + period) / 60_000} minutes`,
      per: 'link',
      seen: '403; ask for the product again',
      lifetime: 'the same for an hour',
    },
    {
      what: 'a public feed in caches',
      bound: constant('ports/inbound/app/delivery.ts', 'FEED_SECONDS'),
      as: (seconds) => `${seconds} seconds`,
      per: 'feed',
      seen: '–',
      lifetime: '60 seconds',
    },
    {
      what: 'the public supply of downloads in caches',
      bound: constant('ports/inbound/api/delivery.ts', 'SUPPLY_SECONDS'),
      as: (seconds) => `${seconds} seconds`,
      per: 'answer',
      seen: '–',
      lifetime: '60 seconds',
    },
    {
      what: 'age of the products and releases that a process shows',
      bound: [constant(ENGINES, 'SQLITE_AGE_MS'), constant(ENGINES, 'DYNAMODB_AGE_MS')],
      as: (sqlite = 0, dynamodb = 0) => `${sqlite / 1000} second on SQLite, ${dynamodb / 1000} seconds on DynamoDB`,
      per: 'process',
      seen: '–',
      lifetime: 'until the process looks again',
    },
    {
      what: 'their age while the store does not answer',
      bound: constant('adapters/store/kept.ts', 'MOST_STALE_MS'),
      as: minutes,
      per: 'process',
      seen: '503',
      lifetime: 'until the store answers',
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
    {
      what: 'files of more than 64 KiB on their way, on AWS',
      bound: constant('domain/access/stream-limit.ts', 'STREAMS_AT_ONCE'),
      as: (most = 0) => `${most} of this quarter of an hour, and as many of the one before`,
      per: 'account, or network address of a caller without one',
      seen: '429',
      lifetime: 'until the file has arrived, 15 minutes at most',
    },
  ],
};
