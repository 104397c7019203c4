import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The Lambda functions by name; each has its entry in `runtimes/lambda` and its bundle in `lambda.out`. */
export const FUNCTIONS = [
  'account',
  'api',
  'app',
  'design',
  'downloads',
  'mail',
  'mcp',
  'media',
  'reference',
  'replay',
  'shop',
] as const;
export type FunctionName = (typeof FUNCTIONS)[number];

/** The bundles: one for each function of the service, and one for the probe, which calls the service from outside. */
export const BUNDLED = [...FUNCTIONS, 'probe'] as const;
export type BundleName = (typeof BUNDLED)[number];

const PROJECT = join(import.meta.dirname, '..', '..');

export const BUNDLES = join(PROJECT, 'lambda.out');

/** Programs that a function starts in threads, by their names in its bundle. */
const THREADS: Readonly<Partial<Record<BundleName, Readonly<Record<string, string>>>>> = {
  replay: { 'page-thread': join(PROJECT, 'adapters', 'design', 'pages', 'thread.ts') },
};

/** The programs of a function by their names in its bundle; `index` is its entry. */
export const entriesOf = (name: BundleName): Readonly<Record<string, string>> => ({
  index: join(PROJECT, 'runtimes', 'lambda', `${name}.ts`),
  ...THREADS[name],
});

/** The folder of the skill package, which the design function serves. */
export const SKILL = join('adapters', 'design', 'skill');
export const SKILL_FOLDER = join(PROJECT, SKILL);

/** The folder that is uploaded for a function. */
export const bundleOf = (name: BundleName, bundles: string = BUNDLES): string => join(bundles, name);

/** True if every function and the probe have a bundle, even an outdated one. */
export const areBuilt = (bundles: string = BUNDLES): boolean =>
  BUNDLED.every((name) => existsSync(join(bundleOf(name, bundles), 'index.mjs')));

/** A thread that reads pages may take 256 MB in addition to the worker itself. */
const OTHERWISE: Readonly<Partial<Record<FunctionName, number>>> = { replay: 2048 };

/** The memory of a function in megabytes. Its share of CPU grows with it: 1,769 MB are one vCPU. */
export const memoryOf = (name: FunctionName): number => OTHERWISE[name] ?? 1024;
