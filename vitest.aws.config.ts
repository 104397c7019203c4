import { defineConfig } from 'vitest/config';

/**
 * `npm run test:aws`: the AWS engines and the service on them. test/aws/run.ts starts the local servers that they call.
 */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/aws/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // One file after another: the servers need the rest of a small machine, and tests here are about time.
    fileParallelism: false,
    watch: false,
    passWithNoTests: false,
    allowOnly: false,
  },
});
