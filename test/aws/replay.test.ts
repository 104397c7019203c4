import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { buildBundles } from '../../infra/bundles/build.ts';
import { openLambdaMount } from '../lambda/lambda-mount.ts';
import { replaySuite } from '../lambda/replay-suite.ts';
import { awsEngines } from './support/engines.ts';

/** The settings of the AWS SDK, by which the functions find the local servers. */
const OF_SDK = Object.entries(process.env).filter((entry): entry is [string, string] => entry[0].startsWith('AWS_'));

describe('the worker on Lambda, on DynamoDB and S3', () => {
  replaySuite(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'account-service-'));
    await buildBundles({ into: join(folder, 'bundles') });
    const env = { ...Object.fromEntries(OF_SDK), ...(await awsEngines()), DATA_DIR: join(folder, 'data') };
    const mount = await openLambdaMount(env, {}, { bundles: join(folder, 'bundles') });
    const close = async (): Promise<void> => {
      await mount.close();
      await rm(folder, { recursive: true, force: true });
    };
    return { ...mount, close };
  });
});
