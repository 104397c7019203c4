import { Duration, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import type { CfnGlobalTable, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Stage } from '../stage.ts';

/** The services that publish to the topic of the alarms. */
const PUBLISHERS = ['cloudwatch.amazonaws.com', 'budgets.amazonaws.com', 'costalerts.amazonaws.com'];

/** How the names of log groups begin, before the name of their stage: ours, and those that API Gateway asks for. */
const LOG_GROUPS = ['', '/aws/vendedlogs/'];

/**
 * A key of the operator's own for the data and for all that is derived from it. The account administers the key, and
 * its roles use it as far as their own policies say. AWS's services use it for this stage alone.
 *
 * The policy names no role and no resource of another stack: the other stacks depend on this one, and a key that
 * depended on them would close the circle. The key outlives its stack, because without it the data can't be read.
 */
export const customerKey = (scope: Construct, stage: Stage, removalPolicy: RemovalPolicy): Key => {
  const { partition, region, account } = Stack.of(scope);
  const key = new Key(scope, 'CustomerKey', {
    description: `Encrypts the data of the account service (${stage.name})`,
    enableKeyRotation: true,
    pendingWindow: Duration.days(30),
    removalPolicy,
  });
  key.addToResourcePolicy(
    new PolicyStatement({
      sid: 'LogsOfThisStage',
      principals: [new ServicePrincipal(`logs.${region}.amazonaws.com`)],
      actions: ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*'],
      resources: ['*'],
      conditions: {
        ArnLike: {
          'kms:EncryptionContext:aws:logs:arn': LOG_GROUPS.map(
            (prefix) => `arn:${partition}:logs:${region}:${account}:log-group:${prefix}account-service-${stage.name}-*`,
          ),
        },
      },
    }),
  );
  key.addToResourcePolicy(
    new PolicyStatement({
      sid: 'AlarmsOfThisAccount',
      principals: PUBLISHERS.map((service) => new ServicePrincipal(service)),
      actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      resources: ['*'],
      conditions: { StringEquals: { 'aws:SourceAccount': account } },
    }),
  );
  return key;
};

/** Encrypts a table with the key. TableV2 takes a key itself only where a stack names its region, which ours do not. */
export const encryptTable = (table: TableV2, { keyArn }: Key): void => {
  const resource = table.node.defaultChild as CfnGlobalTable;
  resource.addPropertyOverride('SSESpecification', { SSEEnabled: true, SSEType: 'KMS' });
  resource.addPropertyOverride('Replicas.0.SSESpecification', { KMSMasterKeyId: keyArn });
};
