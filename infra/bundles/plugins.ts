import { dirname } from 'node:path';
import type { Plugin } from 'esbuild';

/** The embedded engine is loaded on demand only, and never on Lambda: a bundle that is asked for it says so. */
export const withoutSqlite: Plugin = {
  name: 'without-sqlite',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]adapters[/\\]sqlite[/\\]sqlite-table\.ts$/ }, () => ({
      contents: `throw new Error('A function keeps nothing on its disk: set STORE to dynamodb.');`,
    }));
  },
};

/** Our sentences are our own: of zod's forty languages only the one that it starts with is loaded. */
export const withoutOtherLocales: Plugin = {
  name: 'without-other-locales',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
      contents: `export { default as en } from './en.js';`,
    }));
  },
};

/** A body of JSON is in one of Unicode's encodings, or refused: half a megabyte of tables for the others is left out. */
export const withoutOtherCharsets: Plugin = {
  name: 'without-other-charsets',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]iconv-lite[/\\]encodings[/\\]index\.js$/ }, () => ({
      contents: `Object.assign(exports, require('./internal'), require('./utf32'), require('./utf16'), require('./utf7'));`,
    }));
  },
};

/** Types that a function may name by an extension of its own files; whatever a shop serves has its type beside it. */
const MEDIA_TYPES = {
  'application/json': { extensions: ['json', 'map'] },
  'application/xml': { extensions: ['xml'] },
  'font/woff2': { extensions: ['woff2'] },
  'image/jpeg': { extensions: ['jpeg', 'jpg'] },
  'image/png': { extensions: ['png'] },
  'image/svg+xml': { extensions: ['svg'] },
  'image/webp': { extensions: ['webp'] },
  'image/x-icon': { extensions: ['ico'] },
  'text/css': { charset: 'UTF-8', extensions: ['css'] },
  'text/html': { extensions: ['html', 'htm'] },
  'text/javascript': { charset: 'UTF-8', extensions: ['js', 'mjs'] },
  'text/plain': { extensions: ['txt'] },
};

/** Express sorts a table of 2,500 media types when it is loaded, and looks none up where an answer names its own. */
export const withoutRareMediaTypes: Plugin = {
  name: 'without-rare-media-types',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]mime-db[/\\]db\.json$/ }, () => ({ contents: JSON.stringify(MEDIA_TYPES), loader: 'json' }));
  },
};

/** Express loads `qs` for nested queries and forms, which no host takes: all set the query parser to `simple`. */
export const withoutNestedQueries: Plugin = {
  name: 'without-nested-queries',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]node_modules[/\\]qs[/\\]lib[/\\]index\.js$/ }, () => ({
      contents: `exports.parse = () => { throw new Error('A function has no parser of nested queries and forms.'); };`,
    }));
  },
};

/** Importing, publishing and the operator's other commands, which no request reaches. */
export const withoutOperations: Plugin = {
  name: 'without-operations',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]runtimes[/\\]composition[/\\]operations\.ts$/ }, ({ path }) => ({
      contents: `
        import { areaModule } from './binder.ts';
        export const operations = (overrides) => areaModule(overrides, () => {});`,
      resolveDir: dirname(path),
    }));
  },
};

/**
 * An import of `node:http` makes Node read all that it exports, its WebSocket too, which is 15 ms of a start; `require`
 * gives the module as it is.
 */
export const httpByRequire: Plugin = {
  name: 'http-by-require',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^(?:node:)?http$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: 'http', namespace: 'by-require' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'by-require' }, () => ({ contents: `module.exports = require('node:http');` }));
  },
};
