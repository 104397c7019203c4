import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOSTS } from '../../ports/inbound/hosts.ts';
import { domainOf, FRONT } from './front.ts';
import { emptyBundles, synthesized } from './synthesized.ts';

const NAMES = Object.assign({}, ...HOSTS.map(domainOf));
const ALARMED = { alarmEmail: 'operator@example.com' };

/** The options of the stacks, each with the settings that it needs. */
const OPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'nothing beside the stage': {},
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
  'a container': { ...NAMES, containerImage: '123456789012.dkr.ecr.eu-west-1.amazonaws.com/account-service:0.1.0' },
  'a pipeline': { pipelineRepository: 'example/shop' },
};

/** The most resources that CloudFormation takes in a stack. */
const MOST_RESOURCES = 500;

let bundles: string;
beforeAll(async () => {
  bundles = await emptyBundles();
});
afterAll(() => rm(bundles, { recursive: true }));

describe.each(['dev', 'prod'])('the stage %s', (stage) => {
  test.each(Object.entries(OPTIONS))(
    'passes every check of cdk-nag with %s, and its stacks are small enough',
    (_, settings) => {
      const { templates } = synthesized(bundles, { stage, ...settings });
      for (const [name, template] of Object.entries(templates)) {
        expect(Object.keys(template.toJSON().Resources).length, name).toBeLessThanOrEqual(MOST_RESOURCES);
      }
    },
    120_000,
  );
});
