import { defineConfig } from 'vitest/config';

/** `npm run test:lambda`: the built functions behind a local API Gateway. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/lambda/**/*.test.ts'],
    globalSetup: ['test/lambda/build-embedded.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    watch: false,
    passWithNoTests: false,
    allowOnly: false,
  },
});
