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
 * Modules of Node that are loaded by `require`. An import would make Node read all their exports: those of `node:http`
 * hold the WebSocket, and those of `node:process` the standard input and the reports.
 */
const BY_REQUIRE = /^(?:node:)?(http|process)$/;

export const byRequire: Plugin = {
  name: 'by-require',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: BY_REQUIRE }, ({ path, kind }) =>
      kind === 'import-statement' ? { path: path.replace('node:', ''), namespace: 'by-require' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'by-require' }, ({ path }) => ({
      contents: `module.exports = require('node:${path}');`,
    }));
  },
};
