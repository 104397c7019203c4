import { all, type Elsewhere, type Reason } from './reason.ts';

const BACKUPS: Reason = {
  why: 'It needs an account of AWS; the vault, the plan and the role are synthesized instead.',
  by: ['infra/test/backup.test.ts'],
};
const CONTAINER: Reason = {
  why: 'It needs an account of AWS, and a registry; the stack of the container is synthesized instead.',
  by: ['infra/test/container.test.ts'],
};
const PIPELINE: Reason = {
  why: 'It needs an account of AWS; the role is synthesized, and the workflow read, instead.',
  by: ['infra/test/pipeline.test.ts'],
};

/** The commands of the options of the stacks, which need an account of AWS. */
export const OF_OPTIONS: Elsewhere = {
  'docs/aws/backup.md': all(BACKUPS, [
    `aws backup update-region-settings --resource-type-opt-in-preference DynamoDB=true,S3=true \\
  --resource-type-management-preference DynamoDB=true`,
    'aws backup update-global-settings --global-settings isCrossAccountBackupEnabled=true',
    'aws backup create-backup-vault --backup-vault-name shop',
    `aws backup put-backup-vault-access-policy --backup-vault-name shop --policy '{"Version": "2012-10-17", "Statement":
  [{"Effect": "Allow", "Principal": {"AWS": "arn:aws:iam::HOME-ACCOUNT:root"},
    "Action": "backup:CopyIntoBackupVault", "Resource": "*"}]}'`,
    'aws backup put-backup-vault-lock-configuration --backup-vault-name shop --min-retention-days 35',
    'npm run -s cdk -- deploy account-service-prod-backup -c stage=prod -c backupVaultArn=ARN -c backupLockDays=14',
    'aws backup list-backup-jobs --by-state COMPLETED',
    'aws backup list-copy-jobs --by-state COMPLETED',
    `aws backup list-recovery-points-by-backup-vault --backup-vault-name account-service-prod-backup-vault \\
  --query 'RecoveryPoints[].[CreationDate,ResourceType,RecoveryPointArn]' --output text`,
    'aws backup start-copy-job',
    `aws backup start-restore-job --recovery-point-arn TABLE-POINT --iam-role-arn RESTORE-ROLE --resource-type DynamoDB \\
  --metadata targetTableName=account-service-restored`,
    `aws backup start-restore-job --recovery-point-arn BUCKET-POINT --iam-role-arn RESTORE-ROLE --resource-type S3 \\
  --metadata DestinationBucketName=BUCKET,NewBucket=false`,
  ]),
  'docs/aws/options.md': {
    ...all(CONTAINER, [
      'docker build --platform linux/arm64 -f infra/machine/Containerfile -t IMAGE .',
      'docker push IMAGE',
      'npm run -s cdk -- deploy account-service-prod-container -c stage=prod -c containerImage=IMAGE',
      `balancer=$(aws cloudformation describe-stacks --stack-name account-service-prod-container \\
  --query "Stacks[0].Outputs[?OutputKey=='BalancerName'].OutputValue" --output text)`,
      'curl -sS --connect-to "api.shop.example.com:443:$balancer:443" https://api.shop.example.com/healthz',
    ]),
    ...all(PIPELINE, [
      'npm run -s cdk -- deploy account-service-dev-pipeline -c stage=dev -c pipelineRepository=OWNER/NAME',
      'npm run -s cdk -- deploy account-service-prod-pipeline -c stage=prod -c pipelineRepository=OWNER/NAME',
    ]),
  },
};
