import { generateKeyPairSync } from 'node:crypto';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEPLOYED, NAMED, type Served } from '../routes.ts';
import { bundles, type Properties, resourcesOf, type Synthesized, synthesized } from './synthesized.ts';

export const HOSTS: readonly Served[] = [...DEPLOYED, ...NAMED];

/** A certificate for the gateway, which CloudFront can't use. */
export const CERTIFICATE = 'arn:aws:acm:eu-west-1:123456789012:certificate/one';

export const FRONT = {
  cloudFront: 'true',
  cloudFrontCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/two',
};

export const IMAGE = '123456789012.dkr.ecr.eu-west-1.amazonaws.com/account-service:0.1.0';

export const KEY_SECRET = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:files';

export const domainOf = (host: Served) => ({
  [`${host}Domain`]: `${host}.example.com`,
  [`${host}CertificateArn`]: CERTIFICATE,
});

/** The files of two public keys, which `wholeFront` makes once. */
export const keyFiles = (): string[] => ['old', 'new'].map((name) => join(bundles, `${name}.pem`));

/** The stacks with CloudFront in front of every host, the second origin secret, and two keys for files. */
export const wholeFront = (): Synthesized => {
  const keys = keyFiles();
  for (const file of keys.filter((one) => !existsSync(one))) {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const whole = `${file}.${process.pid}`;
    writeFileSync(whole, publicKey.export({ type: 'spki', format: 'pem' }));
    renameSync(whole, file);
  }
  return synthesized({
    ...Object.assign({}, ...HOSTS.map(domainOf)),
    ...FRONT,
    originSecret: '2',
    filesPublicKeys: keys.join(','),
    filesKeySecretArn: KEY_SECRET,
  });
};

/** The settings of the distributions, by the hosts that they are in front of. */
export const distributionsOf = ({ templates }: Synthesized): Map<string, Properties> =>
  new Map(
    resourcesOf(templates.service, 'AWS::CloudFront::Distribution').map(([, { DistributionConfig }]) => [
      DistributionConfig.Aliases[0].split('.')[0],
      DistributionConfig,
    ]),
  );

/** The policy that a behaviour refers to. */
export const policyOf = ({ templates }: Synthesized, type: string, { Ref }: { readonly Ref: string }): Properties =>
  new Map(resourcesOf(templates.service, `AWS::CloudFront::${type}`)).get(Ref)?.[`${type}Config`] ?? {};
