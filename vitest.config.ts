import { defineConfig } from 'vitest/config';

/** What needs more than npm and this machine (test/appcast, test/aws, test/browser, test/openssl), bundles (test/lambda) or CDK (test/infra) has scripts of its own. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    exclude: [
      'test/appcast/**',
      'test/aws/**',
      'test/browser/**',
      'test/infra/**',
      'test/lambda/**',
      'test/openssl/**',
    ],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    pool: 'forks',
    maxWorkers: 2,
    watch: false,
    passWithNoTests: false,
    allowOnly: false,
    coverage: {
      provider: 'v8',
      include: ['domain/**/*.ts', 'application/**/*.ts', 'adapters/**/*.ts'],
      reporter: ['text-summary', 'html', 'json-summary'],
    },
  },
});
