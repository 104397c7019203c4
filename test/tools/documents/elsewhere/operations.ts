import { all, type Elsewhere, type Reason } from './reason.ts';

const ALARMS: Reason = {
  why: 'It needs an account of AWS; the alarms, the topic and the probe are synthesized instead.',
  by: ['infra/test/alarms.test.ts', 'test/lambda/probe.test.ts'],
};

const RELEASES: Reason = {
  why: 'It needs an account of AWS; the releases, the instances and the budget are synthesized instead.',
  by: ['infra/test/releases.test.ts'],
};

/** The commands of the pages about the operation of the stacks, which need an account of AWS. */
export const OF_OPERATIONS: Elsewhere = {
  'docs/aws/alarms.md': all(ALARMS, [
    'aws sns subscribe --topic-arn "$(out operations AlarmTopicArn)" --protocol https --notification-endpoint URL',
    `npm run -s cli -- key create --account ACCOUNT --name probe --abilities device.entitlements --json | jq -j .key |
  aws secretsmanager create-secret --name account-service-prod-probe --secret-string file:///dev/stdin`,
    'npm run -s cdk -- deploy --all -c stage=prod -c probeProduct=PRODUCT -c probeKeySecretArn=ARN',
  ]),
  'docs/aws/releases.md': all(RELEASES, [
    'aws deploy list-deployments',
    'aws deploy stop-deployment --deployment-id ID --auto-rollback-enabled',
    'aws lambda update-alias --function-name NAME --name live --routing-config AdditionalVersionWeights={}',
    'aws ce update-cost-allocation-tags-status --cost-allocation-tags-status TagKey=service,Status=Active',
  ]),
};
