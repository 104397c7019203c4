import { defineConfig } from 'vitest/config';

/** The suites with scripts of their own, because they need more than npm and this machine, or bundles. */
const ELSEWHERE = [
  'test/appcast/**',
  'test/aws/**',
  'test/documents/programs/**',
  'test/fuzz/**',
  'test/lambda/**',
  'test/openssl/**',
  'test/prometheus/**',
  'test/quick-start/**',
];

/** The black-box suite on further mounts: `npm run test:mounts`. */
const MOUNTS = ['test/surface/mounts/**'];

/** Rules and use cases: no I/O, so that they share workers and come first. */
const WITHOUT_IO = ['test/domain/**/*.test.ts', 'test/application/**/*.test.ts', 'test/support/**/*.test.ts'];

/** Processes, commands, those of the documents, a week, and the black-box suite on the embedded store. They take longest. */
const SLOW = [
  'test/surface/**/*.test.ts',
  'test/processes/**/*.test.ts',
  'test/cli/**/*.test.ts',
  'test/week/**/*.test.ts',
  'test/documents/documents.test.ts',
];

/** `npm test`: needs only npm and this machine. Times are for a machine that does much else at once. */
export default defineConfig({
  test: {
    environment: 'node',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    maxWorkers: 2,
    watch: false,
    passWithNoTests: false,
    allowOnly: false,
    projects: [
      {
        extends: true,
        test: { name: 'rules', include: WITHOUT_IO, isolate: false, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'adapters',
          include: ['test/**/*.test.ts'],
          exclude: [...ELSEWHERE, ...WITHOUT_IO, ...SLOW],
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'whole', include: SLOW, exclude: MOUNTS, sequence: { groupOrder: 2 } },
      },
    ],
  },
});
