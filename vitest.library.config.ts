import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { ENTRIES, PROJECT } from './checks/package/entries.ts';

/** The modules of the package by their names, as sources: an example and its test then see the same classes. */
const SOURCES = ENTRIES.map(({ name, source }) => ({
  find: new RegExp(`^${name}$`),
  replacement: join(PROJECT, source),
}));

/** Packages of the examples, which the checks install. */
const PACKAGES = ['pg'].map((name) => ({
  find: new RegExp(`^${name}$`),
  replacement: join(PROJECT, 'checks', 'node_modules', name, 'esm', 'index.mjs'),
}));

/** `npm run test:library`: the examples that need a server of another maker, which Debian has. */
export default defineConfig({
  resolve: { alias: [...SOURCES, ...PACKAGES] },
  test: {
    environment: 'node',
    include: ['checks/library/postgres/**/*.test.ts'],
    globalSetup: 'checks/library/build.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    maxWorkers: 2,
    watch: false,
    passWithNoTests: false,
    allowOnly: false,
  },
});
