import { join } from 'node:path';

/** The Lambda functions by name; each has its entry in `runtimes/lambda` and its bundle in `dist/lambda`. */
export const FUNCTIONS = [
  'account',
  'api',
  'app',
  'design',
  'downloads',
  'mcp',
  'media',
  'reference',
  'replay',
] as const;
export type FunctionName = (typeof FUNCTIONS)[number];

const PROJECT = join(import.meta.dirname, '..', '..');

export const BUNDLES = join(PROJECT, 'dist', 'lambda');

export const entryOf = (name: FunctionName): string => join(PROJECT, 'runtimes', 'lambda', `${name}.ts`);

/** The folder that is uploaded for a function. */
export const bundleOf = (name: FunctionName, bundles: string = BUNDLES): string => join(bundles, name);
