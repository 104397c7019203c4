import { defineConfig } from 'vitest/config';

/** `npm run test:infra`: the templates of the stacks, which take seconds to build. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['infra/test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 180_000,
    pool: 'forks',
    maxWorkers: 2,
    watch: false,
    passWithNoTests: false,
    allowOnly: false,
  },
});
