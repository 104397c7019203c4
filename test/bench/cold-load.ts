import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { buildBundles } from '../../infra/bundles/build.ts';
import type { FunctionName } from '../../infra/bundles/functions.ts';
import { median, takeTurns } from './load.ts';

const run = promisify(execFile);
const ROUNDS = 11;

/** The milliseconds in which a new process loads a function, without the start of the process. */
const loadMillis = async (file: string, env: Record<string, string>): Promise<number> => {
  const script = `const from = performance.now(); await import(${JSON.stringify(pathToFileURL(file).href)}); process.stdout.write(String(performance.now() - from)); process.exit(0);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, ...env },
  });
  return Number(stdout);
};

export type ColdLoad = {
  readonly ours: number;
  readonly bare: number;
  readonly ratio: number;
  /** Milliseconds of the functions that load more. */
  readonly mcp: number;
  readonly account: number;
  /** The bytes that the api function reads before its first line runs. */
  readonly startBytes: number;
};

/** Compares the load time of the api function with the bare one, bundled alike. */
export const coldLoad = async (folder: string): Promise<ColdLoad> => {
  const into = join(folder, 'lambda');
  const bundles = await buildBundles({ into });
  const bare = join(folder, 'bare.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'bare-function.ts')],
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
