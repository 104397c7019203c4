import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import { UploadSignature } from '../../adapters/filesystem/upload-signature.ts';
import { MemoryObjects } from '../../adapters/memory/memory-objects.ts';
import { StoreUnavailable } from '../../adapters/store/table.ts';
import { readConfig } from '../../runtimes/configuration/config.ts';
import { filesByCloudFront } from '../../runtimes/engines/files-by-cloudfront.ts';
import { configFaults } from '../support/config-faults.ts';
import { SECRET } from '../support/download-server.ts';
import { forwarding, OBJECT_CALLS } from '../support/forwarding.ts';

const FILES = {
  url: 'https://api.example.com',
  key_id: 'K2JCJMDEHXQW5F',
  keySecretArn: 'arn:aws:secretsmanager:eu-west-1:000000000000:secret:files',
};

forwarding('a store whose published files CloudFront gives out', OBJECT_CALLS, (inner) =>
  filesByCloudFront(inner, FILES),
);

const pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' });
const terms = { filename: 'a.zip', contentType: 'application/zip', expiresAt: '2027-01-01T00:00:00.000Z' };

describe('an object store with published files on CloudFront', () => {
  let secrets: Server;
  let asked: number;
  let fails: boolean;
  beforeEach(async () => {
    [asked, fails] = [0, false];
    secrets = createServer((_req, res) => {
      asked += 1;
      res.writeHead(fails ? 400 : 200, { 'Content-Type': 'application/x-amz-json-1.1' });
      res.end(JSON.stringify(fails ? { __type: 'AccessDeniedException' } : { SecretString: pem }));
    });
    await once(secrets.listen(0, '127.0.0.1'), 'listening');
    const { port } = secrets.address() as AddressInfo;
    vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', `http://127.0.0.1:${port}`);
    vi.stubEnv('AWS_REGION', 'eu-west-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'none');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'none');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    secrets.close();
    secrets.closeAllConnections();
  });

  const newStore = () =>
    filesByCloudFront(
      new MemoryObjects(
        new DownloadSignature({ secret: SECRET, baseUrl: 'https://own.example.com' }),
        new UploadSignature({ secret: SECRET, baseUrl: 'https://own.example.com' }),
      ),
      FILES,
    );

  test('CloudFront serves published files with a key that is read once and only for a URL', async () => {
    const store = newStore();
    await store.ping();
    expect(asked).toBe(0);
    for (const name of ['a', 'b']) {
      const { url } = await store.signDownload(`sha256/${name}`, terms);
      expect(url).toMatch(
        new RegExp(`^https://api\\.example\\.com/objects/sha256/${name}\\?.*&Key-Pair-Id=K2JCJMDEHXQW5F`),
      );
    }
    expect(asked).toBe(1);
  });

  test('the store itself signs the URLs of other files', async () => {
    const { url } = await newStore().signDownload('reports/a', terms);
    expect(url).toMatch(/^https:\/\/own\.example\.com\//);
    expect(asked).toBe(0);
  });

  test('a key that can’t be read is a store error, and the next URL requests it again', async () => {
    const store = newStore();
    fails = true;
    await expect(store.signDownload('sha256/a', terms)).rejects.toThrow(StoreUnavailable);
    fails = false;
    expect((await store.signDownload('sha256/a', terms)).url).toContain('Signature=');
  });
});

describe('the configuration of CloudFront', () => {
  const S3 = { OBJECTS: 's3', BUCKET_NAME: 'a.bucket-1' };
  const SET = { FILES_URL: FILES.url, CLOUDFRONT_KEY_ID: FILES.key_id, CLOUDFRONT_KEY_SECRET_ARN: FILES.keySecretArn };

  test('three variables name CloudFront, and without them the bucket serves its own URLs', () => {
    expect(readConfig({ ...S3, ...SET }).files).toEqual(FILES);
    expect(readConfig(S3).files).toBeUndefined();
  });

  test('each variable of CloudFront requires the others, and files in a bucket', () => {
    expect(configFaults({ ...S3, FILES_URL: FILES.url })).toEqual([
      'CLOUDFRONT_KEY_ID takes a value where FILES_URL has one; it is "".',
      'CLOUDFRONT_KEY_SECRET_ARN takes a value where FILES_URL has one; it is "".',
    ]);
    expect(configFaults(SET)).toEqual(['FILES_URL takes a value only where OBJECTS is s3.']);
  });

  test.each([
    ['FILES_URL', 'files.example.com', 'takes an http or https URL such as https://api.example.com'],
    ['CLOUDFRONT_KEY_ID', 'a key', 'takes the id of a public key in CloudFront, such as K2JCJMDEHXQW5F'],
    ['CLOUDFRONT_KEY_SECRET_ARN', 'files', 'takes the ARN of a secret in AWS Secrets Manager'],
  ])('%s=%s is refused', (name, value, takes) => {
    expect(configFaults({ ...S3, ...SET, [name]: value })).toEqual([`${name} ${takes}; it is "${value}".`]);
  });
});
