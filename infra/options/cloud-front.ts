import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Context } from '../context.ts';
import type { Domains } from './domains.ts';

/** CloudFront in front of every host that has a name of its own. */
export type CloudFront = {
  /** `only`: a request around CloudFront is refused. `beside`: it is answered, as long as DNS still leads there. */
  readonly way: 'only' | 'beside';
  /** A certificate in us-east-1 for the names of all hosts. */
  readonly certificateArn: string;
  readonly priceClass: 'all' | '200' | '100';
  /** The number of the secret that CloudFront shows. The one before it is accepted too. */
  readonly secret: number;
  /** A web ACL for CloudFront, which is in us-east-1. */
  readonly webAclArn: string | undefined;
  readonly files: SignedFiles | undefined;
};

/** Files by CloudFront's signed URLs. */
export type SignedFiles = {
  /** PEM texts of RSA keys of 2048 bits. The URLs of all of them count; the private key of the first one signs. */
  readonly publicKeys: readonly [string, ...string[]];
  /** The secret that holds that private key, as PEM. */
  readonly keySecretArn: string;
};

const PARTS = [
  'cloudFrontCertificateArn',
  'cloudFrontPriceClass',
  'cloudFrontWebAclArn',
  'filesPublicKeys',
  'filesKeySecretArn',
  'originSecret',
];

const IN_US_EAST_1 = {
  cloudFrontCertificateArn: /^arn:aws[a-z-]*:acm:us-east-1:/,
  cloudFrontWebAclArn: /^arn:aws[a-z-]*:wafv2:us-east-1:\d+:global\//,
} as const;

const arnIn = (context: Context, name: keyof typeof IN_US_EAST_1, what: string): string | undefined => {
  const arn = context.text(name);
  if (arn === undefined || IN_US_EAST_1[name].test(arn)) return arn;
  throw new Error(`-c ${name} takes the ARN of ${what} in us-east-1, where CloudFront looks for it; it is "${arn}".`);
};

const keyIn = (file: string): KeyObject | undefined => {
  try {
    return createPublicKey(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/** The public key in a file, as PEM. A file with the private key is read too, and only its public key is given away. */
const publicKeyIn = (file: string): string => {
  const key = keyIn(file);
  if (key?.asymmetricKeyType === 'rsa' && key.asymmetricKeyDetails?.modulusLength === 2048) {
    return key.export({ type: 'spki', format: 'pem' }) as string;
  }
  throw new Error(`-c filesPublicKeys takes files with an RSA public key of 2048 bits as PEM; "${file}" holds none.`);
};

const filesOf = (context: Context): SignedFiles | undefined => {
  const given = context.together(['filesPublicKeys', 'filesKeySecretArn']);
  if (!given) return undefined;
  const [first = '', ...others] = given.filesPublicKeys.split(',').map((file) => file.trim());
  return { publicKeys: [publicKeyIn(first), ...others.map(publicKeyIn)], keySecretArn: given.filesKeySecretArn };
};

/** The option `-c cloudFront=true`; undefined without it. Throws one sentence for settings that lack another. */
export const cloudFrontOf = (context: Context, domains: Domains): CloudFront | undefined => {
  const chosen = context.oneOf('cloudFront', ['false', 'true', 'beside'], 'false');
  const priceClass = context.oneOf('cloudFrontPriceClass', ['all', '200', '100'], 'all');
  const given = PARTS.find((name) => context.text(name) !== undefined);
  if (chosen === 'false') {
    if (given === undefined) return undefined;
    throw new Error(`-c ${given} belongs to -c cloudFront=true, which is not given.`);
  }
  const certificateArn = arnIn(context, 'cloudFrontCertificateArn', 'a certificate');
  if (certificateArn === undefined) {
    throw new Error(
      '-c cloudFront=true needs -c cloudFrontCertificateArn, the ARN of a certificate in us-east-1 for the names of all hosts.',
    );
  }
  if (domains.api === undefined) {
    throw new Error('-c cloudFront=true needs -c apiDomain, because CloudFront stands in front of names of your own.');
  }
  return {
    way: chosen === 'true' ? 'only' : 'beside',
    certificateArn,
    priceClass,
    secret: context.whole('originSecret', { least: 1, most: 9999 }) ?? 1,
    webAclArn: arnIn(context, 'cloudFrontWebAclArn', 'a web ACL'),
    files: filesOf(context),
  };
};
