import { all, CI, type Elsewhere, type Reason } from './reason.ts';

const CDK: Reason = {
  why: 'It needs an account of AWS; the stacks, their settings and their outputs are synthesized instead.',
  by: ['infra/test/stacks.test.ts', 'infra/test/context.test.ts', '.ci/run'],
};

const CALL: Reason = {
  why: 'It needs an account of AWS; the names of outputs in it are compared with those of the stacks.',
  by: ['test/documents/outputs.test.ts', 'infra/test/stacks.test.ts'],
};

const ALIAS: Reason = { why: 'It needs an account of AWS.', by: ['infra/test/stacks.test.ts'] };

const RESTORED: Reason = {
  why: 'It needs an account of AWS; the stack on a restored table is synthesized instead.',
  by: ['infra/test/context.test.ts'],
};

const KEYS: Reason = {
  why: 'It needs an account of AWS; the rings of keys are tried on a secret of the same shape.',
  by: ['test/aws/signing-key-ring-secret.test.ts'],
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
    ]),
    ...all(CALL, [
      'aws sts get-caller-identity          # the account that you mean',
      'curl -sS "$(out service ApiUrl)/healthz"         # {"status":"ok"}',
      'curl -sS "$(out service DesignUrl)/healthz"      # {"status":"ok"}',
      'export TABLE_NAME="$(out data TableName)" BUCKET_NAME="$(out data BucketName)" API_URL="$(out service ApiUrl)"',
      'export POLICY_KEYS_SECRET_ARN="$(out data PolicyKeysSecretArn)"',
      'export LICENSE_KEY_SECRET_ARN="$(out data LicenseKeySecretArn)" ARTIFACT_KEY_SECRET_ARN="$(out data ArtifactKeySecretArn)"',
      `aws sqs receive-message --queue-url "$(out service DeadLettersUrl)" --max-number-of-messages 10 \\
  --visibility-timeout 0 --query 'Messages[].Body'       # {"id": the job, "kind": "replay", "subject": the run}`,
      'aws sqs purge-queue --queue-url "$(out service DeadLettersUrl)"',
    ]),
    ...all(KEYS, [
      `aws secretsmanager put-secret-value --secret-id "$(out data LicenseKeySecretArn)" \\
  --secret-string file://.data-prod/keys/license-signing.pem`,
      `aws secretsmanager put-secret-value --secret-id "$(out data ArtifactKeySecretArn)" \\
  --secret-string file://.data-prod/keys/artifact-signing.pem`,
    ]),
    ...all(ALIAS, [
      'aws apigateway get-domain-names',
      `aws logs tail --since 15m --filter-pattern '{ $.status >= 500 }' "$(aws lambda get-function-configuration \\
  --function-name NAME --query LoggingConfig.LogGroup --output text)"`,
      "aws lambda list-versions-by-function --function-name NAME --query 'Versions[].[Version,LastModified]' --output text",
      'aws lambda update-alias --function-name NAME --name live --function-version VERSION',
    ]),
    ...all(RESTORED, [
      `aws dynamodb restore-table-to-point-in-time --source-table-name "$(out data TableName)" \\
  --target-table-name account-service-restored --restore-date-time 2026-11-21T08:00:00Z`,
      'aws dynamodb wait table-exists --table-name account-service-restored',
      `aws dynamodb update-time-to-live --table-name account-service-restored \\
  --time-to-live-specification Enabled=true,AttributeName=ttl`,
      `aws dynamodb update-continuous-backups --table-name account-service-restored \\
  --point-in-time-recovery-specification PointInTimeRecoveryEnabled=true`,
      'aws dynamodb update-table --table-name account-service-restored --deletion-protection-enabled',
      'aws s3api list-object-versions --bucket "$BUCKET_NAME" --prefix objects/',
    ]),
  },
  'docs/migrate.md': all(KEYS, [
    'aws secretsmanager put-secret-value --secret-id ARN --secret-string file://.data/keys/policy-signing.N.json',
  ]),
};
