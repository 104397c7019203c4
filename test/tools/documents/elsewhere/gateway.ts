import { all, type Elsewhere, type Reason } from './reason.ts';

const GATEWAY: Reason = {
  why: 'It needs an account of AWS; the gateways and their settings are synthesized instead.',
  by: ['infra/test/gateway.test.ts', 'infra/test/http-api.test.ts'],
};

/** The commands that look at an account's instances, and put the web ACL at the edge. */
export const AT_THE_GATEWAY: Elsewhere = {
  'docs/aws/gateway.md': all(GATEWAY, [
    'aws lambda get-account-settings --query AccountLimit.ConcurrentExecutions',
    'npm run -s cdk -- bootstrap aws://ACCOUNT/us-east-1',
    'npm run -s cdk -- deploy account-service-prod-edge -c stage=prod',
    `aws cloudformation describe-stacks --region us-east-1 --stack-name account-service-prod-edge \\
  --query "Stacks[0].Outputs[?OutputKey=='WebAclArn'].OutputValue" --output text`,
  ]),
};
