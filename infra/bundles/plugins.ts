import type { Plugin } from 'esbuild';

/** A deployed function never has the embedded engine: one that is configured to load it fails with this error. */
export const withoutSqlite: Plugin = {
  name: 'without-sqlite',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]adapters[/\\]sqlite[/\\]sqlite-table\.ts$/ }, () => ({
      contents: `throw new Error('A function keeps nothing on its disk: set STORE to dynamodb.');`,
    }));
  },
};

/**
 * Loads `node:http` by `require`. An import would make Node read all its exports, the WebSocket included, which is 8 ms
 * of a start.
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
