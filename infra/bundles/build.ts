import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { BUNDLES, bundleOf, entryOf, FUNCTIONS, type FunctionName } from './functions.ts';

export type Bundle = { readonly name: FunctionName; readonly bytes: number; readonly inputs: readonly string[] };

export type BuildOptions = {
  /** Where the bundles go; `dist/lambda` if left out. */
  readonly into?: string;
  /** Leaves the embedded store in, for tests that run a bundle on it. */
  readonly embedded?: boolean;
};

/** CommonJS packages ask for Node's modules by `require`, which a module hasn't got. */
const BANNER = `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);`;

/** The embedded engine is loaded on demand only, and never on Lambda: a bundle that is asked for it says so. */
const withoutSqlite: Plugin = {
  name: 'without-sqlite',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]adapters[/\\]sqlite[/\\]sqlite-table\.ts$/ }, () => ({
      contents: `throw new Error('A function keeps nothing on its disk: set STORE to dynamodb.');`,
    }));
  },
};

/** Our sentences are our own: of zod's forty languages only the one that it starts with is loaded. */
const withoutOtherLocales: Plugin = {
  name: 'without-other-locales',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
      contents: `export { default as en } from './en.js';`,
    }));
  },
};

/** The page's files stay files: they are served as they are. */
const UI_FILES = ['package.json', 'swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-16x16.png', 'favicon-32x32.png'];

const addReferencePage = async (folder: string): Promise<void> => {
  const from = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const to = join(folder, 'node_modules', 'swagger-ui-dist');
  await mkdir(to, { recursive: true });
  await Promise.all(UI_FILES.map((file) => cp(join(from, file), join(to, file))));
};

const bundle = async (name: FunctionName, { into = BUNDLES, embedded = false }: BuildOptions): Promise<Bundle> => {
  const folder = bundleOf(name, into);
  await rm(folder, { recursive: true, force: true });
  const outfile = join(folder, 'index.mjs');
  const { metafile } = await build({
    entryPoints: [entryOf(name)],
    outfile,
    bundle: true,
    minify: true,
    sourcemap: true,
    sourcesContent: false,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    banner: { js: BANNER },
    plugins: embedded ? [withoutOtherLocales] : [withoutOtherLocales, withoutSqlite],
    metafile: true,
    logLevel: 'warning',
  });
  if (name === 'reference') await addReferencePage(folder);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
  const [output] = Object.entries(metafile.outputs).filter(([file]) => file.endsWith('index.mjs'));
  return { name, bytes: output?.[1].bytes ?? 0, inputs: Object.keys(output?.[1].inputs ?? {}) };
};

/** Bundles every function with all that it needs, the AWS SDK too; the same bundle runs on any CPU. */
export const buildBundles = (options: BuildOptions = {}): Promise<Bundle[]> =>
  Promise.all(FUNCTIONS.map((name) => bundle(name, options)));
