import { defineConfig } from 'vitest/config';

/** `npm run test:checks`: the import rules, and the built package in an app of another team. Both need a compiler. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['checks/architecture/**/*.test.ts', 'checks/library/**/*.test.ts'],
    exclude: ['checks/library/postgres/**'],
    globalSetup: 'checks/library/build.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    watch: false,
    passWithNoTests: false,
    allowOnly: false,
  },
});
