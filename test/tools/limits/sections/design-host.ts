import { constant } from '../constant.ts';
import { bytes, plain, type Section } from '../row.ts';

const DOCUMENTS = 'domain/documents/limits.ts';
const RUN = 'domain/collect/run-rules.ts';
const MEGAPIXELS = (pixels: number): string => `${plain(pixels / 1_000_000)} megapixels`;

export const DESIGN_HOST: Section = {
  title: 'Design host',
  rows: [
    {
      what: 'collect runs that are open',
      bound: { value: 1, file: 'domain/collect/lease.ts' },
      per: 'store',
      seen: '409 that names the open run',
      lifetime: 'until it is submitted, fails or expires',
    },
    {
      what: 'lease of an open run without an upload',
      bound: constant('domain/collect/lease.ts', 'LEASE_SECONDS'),
      as: (seconds) => `${seconds} seconds`,
      per: 'run',
      seen: '409: the run takes nothing more',
      lifetime: 'each upload renews it',
      setting: 'COLLECT_LEASE_SECONDS',
    },
    { what: 'captures', bound: constant(RUN, 'MAX_CAPTURES'), per: 'run', seen: '409', lifetime: 'for ever' },
    { what: 'assets', bound: constant(RUN, 'MAX_ASSETS'), per: 'run', seen: '409', lifetime: 'for ever' },
    {
      what: 'assets that a capture names',
      bound: constant('domain/collect/upload-text.ts', 'MAX_PAGE_ASSETS'),
      per: 'capture',
      seen: '422',
      lifetime: '–',
    },
    {
      what: 'size of a capture’s image',
      bound: [
        constant('domain/collect/capture.ts', 'MAX_IMAGE_BYTES'),
        constant('domain/collect/image-bounds.ts', 'MAX_PIXELS'),
      ],
      as: (size = 0, pixels = 0) => `${bytes(size)}, ${MEGAPIXELS(pixels)}`,
      per: 'capture',
      seen: '413 or 422',
      lifetime: '–',
    },
    {
      what: 'size of a capture’s HTML, and of an asset',
      bound: [
        constant('domain/collect/capture.ts', 'MAX_HTML_BYTES'),
        constant('domain/collect/capture.ts', 'MAX_ASSET_BYTES'),
      ],
      as: (...sizes) => [...new Set(sizes.map(bytes))].join(' and '),
      per: 'file',
      seen: '413',
      lifetime: '–',
    },
    {
      what: 'time for a promised file to be uploaded',
      bound: constant('domain/collect/promised-file.ts', 'UPLOAD_MS'),
      as: (ms = 0) => `${ms / 60_000} minutes`,
      per: 'link',
      seen: '403; send the capture again to get another link',
      lifetime: '15 minutes',
    },
    {
      what: 'reading of a captured page',
      bound: [
        constant('adapters/pages/reading-thread.ts', 'taskMs'),
        constant('adapters/pages/reading-thread.ts', 'heapMib'),
      ],
      as: (ms = 0, mib) => `${ms / 1000} seconds, ${mib} MiB`,
      per: 'page',
      seen: 'a problem of the run',
      lifetime: '–',
    },
    {
      what: 'text of a version',
      bound: constant(DOCUMENTS, 'MAX_BODY_BYTES'),
      as: bytes,
      per: 'version',
      seen: '422',
      lifetime: '–',
    },
    { what: 'documents', bound: constant(DOCUMENTS, 'MAX_DOCUMENTS'), per: 'store', seen: '409', lifetime: 'for ever' },
    {
      what: 'versions',
      bound: constant(DOCUMENTS, 'MAX_VERSIONS'),
      per: 'document',
      seen: '409',
      lifetime: 'for ever',
    },
    {
      what: 'versions that wait for a verdict',
      bound: constant(DOCUMENTS, 'MAX_PENDING'),
      per: 'store',
      seen: '409',
      lifetime: 'until one gets its verdict',
    },
  ],
};
