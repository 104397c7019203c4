import { all, CI, type Elsewhere, type Reason } from './reason.ts';

const CDK: Reason = {
  why: 'It needs an account of AWS; its stacks, settings and parameters are compared with those that are synthesized.',
  by: ['infra/test/guide.test.ts', '.ci/run'],
};

const CALL: Reason = {
  why: 'It needs an account of AWS; the words are compared with the models of AWS, and the outputs with the stacks.',
  by: ['test/aws/aws-commands.test.ts', 'infra/test/guide.test.ts'],
};

const RESTORED: Reason = {
  why: 'It needs an account of AWS; the words are compared with the models of AWS, and the stacks take any table.',
  by: ['test/aws/aws-commands.test.ts', 'infra/test/table-in-use.test.ts'],
};

const KEYS: Reason = {
  why: 'It needs an account of AWS; the rings of keys are tried on a secret of the same shape.',
  by: ['test/aws/signing-key-ring-secret.test.ts', 'test/aws/aws-commands.test.ts'],
};

/** The commands that need an account of AWS. */
export const AT_AWS: Elsewhere = {
  'docs/deploy.md': {
    ...all(CI, ['npm ci', 'npm ci --prefix infra                # the CDK, which nothing else needs']),
    ...all(CDK, [
      'npm run -s cdk -- bootstrap          # once for an account and region',
      'npm run synth -- -c stage=prod       # offline: bundles and templates, checked by cdk-nag',
      'npm run -s cdk -- deploy account-service-prod-data -c stage=prod',
      'npm run -s cdk -- deploy --all -c stage=prod',
      'npm run -s cdk -- deploy --all -c stage=prod --parameters account-service-prod-data:TableInUse=account-service-restored',
    ]),
    ...all(CALL, [
      'aws sts get-caller-identity          # the account that you mean',
      'aws lambda get-account-settings --query AccountLimit.ConcurrentExecutions --output text    # 1000 is usual, 10 is new',
      'aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value 1000',
      `out() { aws cloudformation describe-stacks --stack-name "account-service-prod-$1" \\
  --query "Stacks[0].Outputs[?OutputKey=='$2'].OutputValue" --output text; }`,
      'curl -sS "$(out service DesignUrl)/healthz"      # {"status":"ok"}',
      'aws cloudformation update-termination-protection --stack-name account-service-prod-data --no-enable-termination-protection',
      `aws sqs receive-message --queue-url "$(out service DeadLettersUrl)" --max-number-of-messages 10 \\
  --visibility-timeout 0 --query 'Messages[].Body'       # {"id": the job, "kind": "replay", "subject": the run}`,
      'aws sqs purge-queue --queue-url "$(out service DeadLettersUrl)"',
      'aws apigateway get-domain-names',
      `aws logs tail "$(out service ApiLog)" --since 15m --filter-pattern '{ $.status >= 500 }'`,
      `aws lambda list-versions-by-function --function-name "$(out service ApiFunction)" \\
  --query 'Versions[].[Version,LastModified,Description]' --output text`,
      'aws lambda update-alias --function-name "$(out service ApiFunction)" --name live --function-version VERSION',
    ]),
    ...all(RESTORED, [
      `aws dynamodb restore-table-to-point-in-time --source-table-name "$(out data TableName)" \\
  --target-table-name account-service-restored --restore-date-time 2026-11-21T08:00:00Z`,
      `until [ "$(aws dynamodb describe-table --table-name account-service-restored \\
  --query Table.TableStatus --output text)" = ACTIVE ]; do sleep 30; done`,
      `aws dynamodb update-time-to-live --table-name account-service-restored \\
  --time-to-live-specification Enabled=true,AttributeName=ttl`,
      `aws dynamodb update-continuous-backups --table-name account-service-restored \\
  --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true`,
      'aws dynamodb update-table --table-name account-service-restored --deletion-protection-enabled',
      'aws s3api list-object-versions --bucket "$BUCKET_NAME" --prefix objects/',
      'export TABLE_NAME="$(out data TableName)"                                # account-service-restored',
    ]),
  },
  'docs/migrate.md': all(KEYS, [
    'aws secretsmanager put-secret-value --secret-id ARN --secret-string file://.data/keys/policy-signing.N.json',
  ]),
};
