import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEPLOYED, NAMED, type Served } from '../routes.ts';
import { type Properties, resourcesOf, type Synthesized, synthesized } from './synthesized.ts';

export const HOSTS: readonly Served[] = [...DEPLOYED, ...NAMED];

/** A certificate for the gateway, which CloudFront can't use. */
export const CERTIFICATE = 'arn:aws:acm:eu-west-1:123456789012:certificate/one';

export const FRONT = {
  cloudFront: 'true',
  cloudFrontCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/two',
};

export const KEY_SECRET = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:files';

export const domainOf = (host: Served) => ({
  [`${host}Domain`]: `${host}.example.com`,
  [`${host}CertificateArn`]: CERTIFICATE,
});

/** The files of the public keys that `wholeFront` makes. */
export const keyFiles = (bundles: string): string[] => ['old', 'new'].map((name) => join(bundles, `${name}.pem`));

/** The stacks with CloudFront in front of every host, the second origin secret, and two keys for files. */
export const wholeFront = async (bundles: string): Promise<Synthesized> => {
  const keys = keyFiles(bundles);
  for (const file of keys) {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    await writeFile(file, publicKey.export({ type: 'spki', format: 'pem' }));
  }
  return synthesized(bundles, {
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
