import { defineConfig } from 'vitest/config';

/** `npm run test:extending`: the walks of docs/extending.md, each in a copy of the sources, which it compiles and runs. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['checks/extending/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // A walk runs the compiler and tests of its own, which take what a small machine has.
    fileParallelism: false,
    watch: false,
    passWithNoTests: false,
    allowOnly: false,
  },
});
