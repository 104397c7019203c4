import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startDynamodbLocal } from './peers/dynamodb-local.ts';
import { startMoto } from './peers/moto.ts';
import type { ServerProcess } from './peers/server-process.ts';
import { openStrictS3 } from './strict-s3/strict-s3.ts';

/**
 * `npm run test:aws [-- vitest's arguments]` runs the tests under test/aws against Amazon's DynamoDB Local and an S3
 * server. It downloads the two servers once and stops them after the tests. If a required tool is missing, it prints
 * one line and exits with 1.
 */

const CREDENTIALS = { accessKeyId: 'AKIATESTTESTTEST', secretAccessKey: 'a-secret-that-opens-nothing-anywhere' };

/** The environment of the tests. It drops the developer's AWS settings, so that the tests reach only local servers. */
const environment = (dynamodb: string, s3: string, moto: string): NodeJS.ProcessEnv => {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_'));
  return {
    ...Object.fromEntries(own),
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
    AWS_ENDPOINT_URL_S3: s3,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: moto,
    AWS_ENDPOINT_URL_SESV2: moto,
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    AWS_REGION: 'eu-west-1',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_EC2_METADATA_DISABLED: 'true',
  };
};

const running: ServerProcess[] = [];

const started = async (start: () => Promise<ServerProcess>): Promise<number> => {
  const server = await start();
  running.push(server);
  return server.port;
};

const test = async (): Promise<number> => {
  const ports = await Promise.allSettled([started(startDynamodbLocal), started(startMoto)]);
  const [dynamodb, moto] = ports.map((port) => {
    if (port.status === 'rejected') throw port.reason;
    return port.value;
  });
  const s3 = await openStrictS3(moto as number, CREDENTIALS);
  const vitest = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--project', 'aws', ...process.argv.slice(2)],
    { stdio: 'inherit', env: environment(`http://127.0.0.1:${dynamodb}`, s3.url, `http://127.0.0.1:${moto}`) },
  );
  const [code] = await once(vitest, 'exit');
  s3.close();
  return code ?? 1;
};

/** Stops the servers, which would outlive an interrupted run. Vitest is in the process group and ends by itself. */
const stop = () => Promise.all(running.map((server) => server.stop()));
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stop().then(() => process.exit(1)));

process.exitCode = await test().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});
await stop();
