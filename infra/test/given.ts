import { generateKeyPairSync } from 'node:crypto';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVED, type ServedHost } from '../routes.ts';
import { bundles } from './synthesized.ts';

export const CERTIFICATE = 'arn:aws:acm:eu-west-1:123456789012:certificate/one';

/** Names for these hosts, with their certificate. */
export const named = (...hosts: readonly ServedHost[]) => ({
  domains: Object.fromEntries(hosts.map((host) => [host, `${host}.example.com`])),
  certificateArn: CERTIFICATE,
});

export const ALL_NAMES = named(...SERVED);

export const IMAGE = '123456789012.dkr.ecr.eu-west-1.amazonaws.com/account-service:0.1.0';

/** The file of a public key for CloudFront, created once. */
export const keyFile = (name: string): string => {
  const file = join(bundles, `${name}.pem`);
  if (existsSync(file)) return file;
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(`${file}.${process.pid}`, publicKey.export({ type: 'spki', format: 'pem' }));
  renameSync(`${file}.${process.pid}`, file);
  return file;
};
