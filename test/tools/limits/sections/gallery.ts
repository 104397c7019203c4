import { constant } from '../constant.ts';
import { bytes, type Section } from '../row.ts';

const WORDS = 'domain/gallery/words.ts';

export const GALLERY: Section = {
  title: 'Gallery',
  rows: [
    {
      what: 'words of a search',
      bound: constant(WORDS, 'WORDS_OF_QUERY'),
      per: 'search',
      seen: 'nothing; further words do not count',
      lifetime: '–',
    },
    {
      what: 'words by which a screen is found',
      bound: constant(WORDS, 'WORDS_OF_SCREEN'),
      per: 'screen',
      seen: 'nothing; further words are not found',
      lifetime: '–',
    },
    {
      what: 'length of a list of keys in a search',
      bound: constant('ports/inbound/fields.ts', 'MAX_KEYS_TEXT'),
      as: (length) => `${length} characters, 20 keys`,
      per: 'filter',
      seen: '422',
      lifetime: '–',
    },
    {
      what: 'index blocks that a process keeps in memory',
      bound: constant('adapters/store/gallery-index.ts', 'KEPT_BYTES'),
      as: bytes,
      per: 'process',
      seen: '–',
      lifetime: '30 seconds',
    },
    {
      what: 'documents, and versions of one, on a page',
      bound: [
        constant('adapters/web/gallery/routes/documents.ts', 'DOCUMENTS'),
        constant('adapters/web/gallery/routes/documents.ts', 'VERSIONS'),
      ],
      as: (documents, versions) => `${documents} and ${versions}`,
      per: 'page',
      seen: 'further pages',
      lifetime: '–',
    },
    {
      what: 'time to mark the changed words of a comparison',
      bound: constant('adapters/web/gallery/differences.ts', 'MOST_FOR_WORDS'),
      as: (ms) => `${ms} ms`,
      per: 'page',
      seen: 'the lines after that have no words marked',
      lifetime: '–',
    },
    {
      what: 'changes between two versions',
      bound: constant('adapters/web/gallery/differences.ts', 'maxEditLength'),
      as: (edits = 0) => `${edits.toLocaleString('en')} lines, 300 ms`,
      per: 'page',
      seen: 'both texts whole, one after the other',
      lifetime: '–',
    },
    {
      what: 'lines of a comparison',
      bound: constant('adapters/web/gallery/views/compare.ts', 'MOST_LINES'),
      per: 'page',
      seen: 'a note that lines are left out',
      lifetime: '–',
    },
  ],
};
