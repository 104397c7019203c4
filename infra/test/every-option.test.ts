import { expect, test } from 'vitest';
import { ALL_NAMES, IMAGE, keyFile } from './given.ts';
import { type Given, synthesized } from './synthesized.ts';

const keySecretArn = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:files-AbCdEf';

/** The options of the stacks, each with the settings that it needs. */
const OPTIONS: Readonly<Record<string, Given>> = {
  'nothing else': {},
  'names of its own': ALL_NAMES,
  'a firewall and a warm table': { wafRate: 10_000, warmReads: 30_000 },
  'files by CloudFront': { files: { publicKeys: [keyFile('one')], keySecretArn } },
  'a canary': { deployment: 'canary' },
  'a budget': { alarmEmail: 'operator@example.com', monthlyBudget: 100 },
  backups: { backup: { every: 'week', copyTo: 'arn:aws:backup:eu-central-1:123456789012:backup-vault:shop' } },
  'a container': {
    ...ALL_NAMES,
    container: { image: IMAGE },
    wafRate: 10_000,
    files: { publicKeys: [keyFile('one')], keySecretArn },
  },
  'a shop host, webhooks and mail': {
    ...ALL_NAMES,
    mail: { from: 'shop@example.com' },
    webhooks: { secretArn: keySecretArn },
  },
  'a pipeline': { pipeline: { repository: 'example/shop' } },
};

/** The settings of a shop that uses everything. */
const EVERYTHING: Given = {
  ...Object.assign({}, ...Object.values(OPTIONS)),
  upstream: { issuer: 'https://id.example.com', clientId: 'shop', name: 'Example', secretArn: keySecretArn },
  probe: { product: 1, keySecretArn },
  throttle: 5000,
};

/** CloudFormation allows 500 resources in a stack. The rest is for further endpoints. */
const MOST_RESOURCES = 400;

test.each([
  ['dev', 'nothing else', {}],
  ['dev', 'files by CloudFront', { files: { publicKeys: [keyFile('one')], keySecretArn } }],
  ...Object.entries(OPTIONS).map(([name, settings]) => ['prod', name, settings] as const),
  ['prod', 'everything at once', EVERYTHING],
] as const)(
  'the stage %s with %s passes every check of cdk-nag, and its stacks are small enough',
  (stage, _, settings) => {
    const { templates } = synthesized({ stage, ...settings });
    for (const [name, template] of Object.entries(templates)) {
      expect(Object.keys(template.toJSON().Resources).length, name).toBeLessThanOrEqual(MOST_RESOURCES);
    }
  },
  120_000,
);
