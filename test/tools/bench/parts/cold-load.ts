import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { buildBundles } from '../../../../infra/bundles/build.ts';
import type { FunctionName } from '../../../../infra/bundles/functions.ts';
import { atMost, part } from '../part.ts';
import { median, takeTurns } from '../statistics.ts';

const run = promisify(execFile);
const ROUNDS = 11;

/**
 * Slightly more than the bytes that the api function read at its start when it first had all of its endpoints. A new
 * part of the service may raise it if calls need it, but not if only other functions do.
 */
const API_START_BYTES = 480_000;

/** The time in which a new process loads a function, in milliseconds, without the start of the process. */
const loadMillis = async (file: string, env: Record<string, string>): Promise<number> => {
  const script = `const from = performance.now(); await import(${JSON.stringify(pathToFileURL(file).href)}); process.stdout.write(String(performance.now() - from)); process.exit(0);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
    // Otherwise both sides would read this machine's additional certificates on loading; a function has none.
    env: { ...process.env, NODE_EXTRA_CA_CERTS: undefined, ...env },
  });
  return Number(stdout);
};

type ColdLoad = {
  readonly ours: number;
  readonly bare: number;
  readonly ratio: number;
  /** The load times, in milliseconds, of the functions that load more. */
  readonly mcp: number;
  readonly account: number;
  /** The number of bytes that the api function reads before its first line runs. */
  readonly startBytes: number;
};

/** Compares the load time of the api function with that of a minimal one, bundled in the same way. */
const coldLoad = async (folder: string): Promise<ColdLoad> => {
  const into = join(folder, 'lambda');
  const bundles = await buildBundles(into);
  const bare = join(folder, 'bare.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, '../servers/bare-function.ts')],
    outfile: bare,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    banner: {
      js: `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);`,
    },
  });
  const env = {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
    STORE: 'dynamodb',
    OBJECTS: 's3',
    TABLE_NAME: 'bench',
    BUCKET_NAME: 'bench',
    API_URL: 'https://api.example.com',
    DESIGN_URL: 'https://design.example.com',
    APP_URL: 'https://app.example.com',
    ACCOUNT_URL: 'https://account.example.com',
    DATA_DIR: join(folder, 'lambda-data'),
  };
  const load = (name: FunctionName): Promise<number> => loadMillis(join(into, name, 'index.mjs'), env);
  const compared = await takeTurns(
    ROUNDS,
    () => load('api'),
    () => loadMillis(bare, env),
  );
  const mcp: number[] = [];
  const account: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    mcp.push(await load('mcp'));
    account.push(await load('account'));
  }
  const startBytes = bundles.find(({ name }) => name === 'api')?.startBytes ?? 0;
  return { ...compared, mcp: median(mcp), account: median(account), startBytes };
};

export const COLD_LOAD = part({
  title: 'Cold load of the functions',
  ratios: {
    'api function: cold load vs. a bare function': atMost(0.7),
    [`api function: bytes read at start, of ${API_START_BYTES}`]: atMost(1),
  },
  figures: [
    'api function, cold load, ms',
    'bare function, cold load, ms',
    'mcp function, cold load, ms',
    'account function, cold load, ms',
    'api function, bytes read at start',
  ],
  measure: async (folder) => {
    const load = await coldLoad(folder);
    return {
      ratios: {
        'api function: cold load vs. a bare function': load.ratio,
        [`api function: bytes read at start, of ${API_START_BYTES}`]: load.startBytes / API_START_BYTES,
      },
      figures: {
        'api function, cold load, ms': load.ours,
        'bare function, cold load, ms': load.bare,
        'mcp function, cold load, ms': load.mcp,
        'account function, cold load, ms': load.account,
        'api function, bytes read at start': load.startBytes,
      },
    };
  },
});
