import { defineConfig } from 'vitest/config';

/** `npm run test:mounts`: the black-box suite on every mount of Node beside the one that `npm test` runs. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/surface/mounts/**/*.test.ts'],
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
