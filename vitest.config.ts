import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The suites of `npm test`: they need npm and this machine alone. */
const RULES = ['test/domain/**/*.test.ts', 'test/application/**/*.test.ts', 'test/support/**/*.test.ts'];
const SURFACE = ['test/surface/**/*.test.ts', 'test/processes/**/*.test.ts'];

/** The suites that have a script of their own. */
const FURTHER = {
  slow: [
    'test/week/**/*.test.ts',
    'test/tools/documents/documents.test.ts',
    'test/adapters/many-devices.test.ts',
    'test/adapters/design/pages/{images,threads}.test.ts',
    'test/adapters/wrong-engines.test.ts',
    'test/cli/backup.test.ts',
    'test/copy/mend-from-backups.test.ts',
  ],
  mounts: ['test/surface/mounts/**/*.test.ts'],
  lambda: ['test/lambda/**/*.test.ts'],
  aws: ['test/aws/**/*.test.ts'],
  postgres: ['test/postgres/**/*.test.ts'],
  infra: ['infra/test/**/*.test.ts'],
  peers: [
    'test/clients/**/*.test.ts',
    'test/peers/{appcast,browser,generators,machine,mail,mcp,openssl,payments,prometheus,quick-start,updaters,webhooks}/**/*.test.ts',
    'test/tools/documents/programs/**/*.test.ts',
  ],
  imports: ['test/peers/architecture/**/*.test.ts'],
  package: ['test/peers/package/**/*.test.ts'],
  walks: ['test/tools/extending/**/*.test.ts'],
  nightly: ['test/nightly/**/*.test.ts'],
};

/** Files of a few lines that take longest. In a fresh clone, vitest starts the largest files first. */
const LONGEST = [
  'test/application/sales/book.test.ts',
  'test/adapters/catalog/snapshots.test.ts',
  'test/adapters/book-on-sqlite.test.ts',
  'test/surface/embedded.test.ts',
  'test/processes/leases.test.ts',
  'test/processes/killed-deliveries.test.ts',
];

/** Starts the longest files of each group first, so that no process waits at the end while another runs one of them. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => LONGEST.some((name) => moduleId.endsWith(name));
    const order = (file: TestSpecification): number =>
      file.project.config.sequence.groupOrder * 2 + (isLong(file) ? 0 : 1);
    return (await super.sort(files)).toSorted((a, b) => order(a) - order(b));
  }
}

const further = (name: keyof typeof FURTHER, settings: object = {}) => ({
  extends: true as const,
  test: { name, include: FURTHER[name], ...settings },
});

const alone = { fileParallelism: false, maxWorkers: 1 };

/** Times are for a machine that does much else at once. */
export default defineConfig({
  test: {
    environment: 'node',
    // The programs that tests start compile the sources once, which halves the start of a server.
    env: { NODE_COMPILE_CACHE: `${import.meta.dirname}/node_modules/.cache/account-service-tests` },
    testTimeout: 60_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    maxWorkers: 2,
    watch: false,
    passWithNoTests: false,
    sequence: { sequencer: LongestFirst },
    allowOnly: false,
    projects: [
      {
        extends: true,
        test: { name: 'rules', include: RULES, isolate: false, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'adapters',
          include: ['test/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...RULES, ...SURFACE, ...Object.values(FURTHER).flat()],
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'surface', include: SURFACE, exclude: FURTHER.mounts, sequence: { groupOrder: 2 } },
      },
      further('slow', { sequence: { groupOrder: 3 } }),
      further('mounts', { sequence: { groupOrder: 4 } }),
      further('lambda', { globalSetup: ['test/lambda/build-embedded.ts'], sequence: { groupOrder: 5 } }),
      further('aws', { ...alone, sequence: { groupOrder: 6 } }),
      further('postgres', { globalSetup: ['test/postgres/servers.ts'], sequence: { groupOrder: 12 } }),
      further('infra', { isolate: false, sequence: { groupOrder: 7 } }),
      further('peers', { ...alone, sequence: { groupOrder: 8 } }),
      further('imports', { sequence: { groupOrder: 9 } }),
      further('package', { globalSetup: ['test/peers/package/setup.ts'], sequence: { groupOrder: 10 } }),
      further('walks', { ...alone, sequence: { groupOrder: 11 } }),
      // One test of these takes up to 720 orders of a scenario.
      further('nightly', { ...alone, testTimeout: 600_000, sequence: { groupOrder: 13 } }),
    ],
  },
});
