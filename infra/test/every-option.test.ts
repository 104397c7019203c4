import { expect, test } from 'vitest';
import { HOSTS } from '../../ports/inbound/hosts.ts';
import { domainOf, FRONT, IMAGE } from './front.ts';
import { synthesized } from './synthesized.ts';

const NAMES = Object.assign({}, ...HOSTS.map(domainOf));
const ALARMED = { alarmEmail: 'operator@example.com' };

/** The options of the stacks, each with the settings that it needs. */
const OPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'nothing else': {},
  'names of its own': NAMES,
  'an HTTP API': { ...NAMES, gateway: 'http' },
  'a firewall': { waf: 'true' },
  CloudFront: { ...NAMES, ...FRONT },
  'CloudFront beside the gateway': { ...NAMES, ...FRONT, cloudFront: 'beside' },
  'CloudFront with an HTTP API and a firewall': { ...NAMES, ...FRONT, gateway: 'http', waf: 'true' },
  'a canary': { deployment: 'canary' },
  'started instances': { apiProvisioned: '2' },
  traces: { tracing: 'xray' },
  'a budget': { ...ALARMED, monthlyBudget: '100' },
  'no probe': { probe: 'off' },
  backups: {
    backup: 'true',
    backupVaultArn: 'arn:aws:backup:eu-central-1:123456789012:backup-vault:shop',
    backupLockDays: '14',
  },
  'a key of its own': { customerKeys: 'true' },
  'warm throughput': { warmReadUnits: '40000', warmWriteUnits: '20000' },
  'a container': { ...NAMES, containerImage: IMAGE },
  'a pipeline': { pipelineRepository: 'example/shop' },
};

/** The most resources that CloudFormation takes in a stack. */
const MOST_RESOURCES = 500;

test.each([
  ['dev', 'nothing else', {}],
  ...Object.entries(OPTIONS).map(([name, settings]) => ['prod', name, settings] as const),
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
