import { defineConfig } from 'vitest/config';

/** `npm run test:aws`: the engines of AWS and the service on them; test/aws/run.ts starts what they speak to. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/aws/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // One file after another: the servers need the rest of a small machine, and tests here are about time.
    fileParallelism: false,
    watch: false,
    passWithNoTests: false,
    allowOnly: false,
  },
});
