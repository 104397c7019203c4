import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { everyStreamSuite } from '../surface/every-suite.ts';
import { openExpressMount } from '../surface/express-mount.ts';
import type { OpenMount } from '../surface/mount.ts';
import { awsEngines } from './support/engines.ts';
import { s3DownloadsSuite } from './support/s3-downloads.ts';

const openOnAws: OpenMount = async (settings) => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'account-service-'));
  const mount = await openExpressMount({ ...(await awsEngines()), DATA_DIR }, settings);
  const close = async (): Promise<void> => {
    await mount.close();
    await rm(DATA_DIR, { recursive: true });
  };
  return { ...mount, close };
};

// permissions.test.ts runs the whole suite on these engines through the functions, which do not stream bodies.
describe('the service on Express, on DynamoDB and S3', () => {
  everyStreamSuite(openOnAws, { downloads: s3DownloadsSuite });
});
