import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { BUNDLED, BUNDLES, type BundleName, bundleOf, entriesOf, SKILL, SKILL_FOLDER } from './functions.ts';

/** A deployed function never includes the embedded engine: one that is configured to load it fails with this error. */
const withoutSqlite: Plugin = {
  name: 'without-sqlite',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]adapters[/\\]sqlite[/\\]sqlite-table\.ts$/ }, () => ({
      contents: `throw new Error('A function keeps nothing on its disk: set STORE to dynamodb.');`,
    }));
  },
};

/**
 * Node's modules that are loaded by `require`. An import would make Node load all their exports: those of `node:http`
 * include WebSocket, and those of `node:process` the standard input and the reports.
 */
const BY_REQUIRE = /^(?:node:)?(http|process)$/;

const byRequire: Plugin = {
  name: 'by-require',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: BY_REQUIRE }, ({ path, kind }) =>
      kind === 'import-statement' ? { path: path.replace('node:', ''), namespace: 'by-require' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'by-require' }, ({ path }) => ({
      contents: `module.exports = require('node:${path}');`,
    }));
  },
};

export type Bundle = {
  readonly name: BundleName;
  /** The size of the files that an instance reads before its first line runs. It loads the others on demand. */
  readonly startBytes: number;
  readonly startInputs: readonly string[];
  readonly inputs: readonly string[];
};

/** CommonJS packages load Node's modules by `require`, which an ES module doesn't have. */
const BANNER = `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);`;

/** The outputs that an instance reads first: the entry and all its static imports, at any depth. */
const readAtStart = (outputs: Metafile['outputs'], entry: string): string[] => {
  const found = new Set([entry]);
  for (const file of found) {
    for (const { path, kind } of outputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && outputs[path]) found.add(path);
    }
  }
  return [...found];
};

/** Settings of esbuild for code that runs on Lambda. */
export const FOR_LAMBDA = {
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  minify: true,
  sourcemap: true,
  sourcesContent: false,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  banner: { js: BANNER },
  plugins: [byRequire],
  logLevel: 'warning',
} as const satisfies BuildOptions;

const bundle = async (name: BundleName, into: string): Promise<Bundle> => {
  const folder = bundleOf(name, into);
  await rm(folder, { recursive: true, force: true });
  const { metafile } = await build({
    ...FOR_LAMBDA,
    entryPoints: entriesOf(name),
    outdir: folder,
    // The authorization server finds its records by class name.
    keepNames: name === 'account',
    plugins: [byRequire, withoutSqlite],
    metafile: true,
  });
  if (name === 'design') await cp(SKILL_FOLDER, join(folder, SKILL), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
  const { outputs } = metafile;
  const entry = Object.keys(outputs).find((file) => file.endsWith('/index.mjs')) as string;
  const inputsOf = (files: readonly string[]) => files.flatMap((file) => Object.keys(outputs[file]?.inputs ?? {}));
  const start = readAtStart(outputs, entry);
  return {
    name,
    startBytes: start.reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0),
    startInputs: inputsOf(start),
    inputs: inputsOf(Object.keys(outputs)),
  };
};

/** The file with the list of the bundles, beside them. */
export const LIST = 'bundles.json';

/**
 * Bundles every function, and the probe, with all its packages, including the AWS SDK, into a folder; `lambda.out` by
 * default. The bundles run on any CPU.
 */
export const buildBundles = async (into: string = BUNDLES): Promise<Bundle[]> => {
  const bundles = await Promise.all(BUNDLED.map((name) => bundle(name, into)));
  await writeFile(join(into, LIST), JSON.stringify(bundles));
  return bundles;
};
