import { defineConfig } from 'vitest/config';

/**
 * `npm run test:package`: the package as `npm pack` makes it, in an empty project that has installed it. npm takes its
 * packages from its cache and the registry.
 */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['checks/package/**/*.test.ts'],
    globalSetup: ['checks/package/setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    watch: false,
    passWithNoTests: false,
    allowOnly: false,
  },
});
