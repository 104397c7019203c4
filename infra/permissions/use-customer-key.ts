import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnTopic } from 'aws-cdk-lib/aws-sns';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import { FUNCTIONS, type FunctionName } from '../bundles/functions.ts';
import type { HostFunction } from '../constructs/host-function.ts';

/** The services by which each function reaches encrypted data, beside the table. */
const REACHED: Readonly<Record<FunctionName, readonly string[]>> = {
  api: ['s3', 'secretsmanager'],
  downloads: ['s3'],
  app: ['s3', 'secretsmanager'],
  mcp: ['s3', 'secretsmanager'],
  account: ['s3'],
  design: ['s3', 'sqs'],
  media: ['s3'],
  replay: ['s3', 'sqs'],
  reference: [],
};

/** The actions of a client of an encrypted table, bucket, secret or queue. */
const USE = [
  'kms:Decrypt',
  'kms:DescribeKey',
  'kms:Encrypt',
  'kms:GenerateDataKey',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
];

/** A queue asks for a new key once an hour, in place of every five minutes. */
const REUSE_SECONDS = 3600;

/** Encrypts the logs, queues and topics of a stack with the key, whichever construct has made them. */
export const encryptWith = (stack: Stack, { keyArn }: IKey): void => {
  for (const resource of stack.node.findAll()) {
    if (resource instanceof CfnLogGroup) resource.kmsKeyId = keyArn;
    if (resource instanceof CfnTopic) resource.kmsMasterKeyId = keyArn;
    if (!(resource instanceof CfnQueue)) continue;
    resource.sqsManagedSseEnabled = undefined;
    resource.kmsMasterKeyId = keyArn;
    resource.kmsDataKeyReusePeriodSeconds = REUSE_SECONDS;
  }
};

/** Lets each function use the key by the services that it reaches encrypted data through, and never by itself. */
export const letUseKey = (functions: Readonly<Record<FunctionName, HostFunction>>, { keyArn }: IKey): void => {
  for (const name of FUNCTIONS) {
    const fn = functions[name].function;
    const { region } = Stack.of(fn);
    fn.addToRolePolicy(
      new PolicyStatement({
        actions: USE,
        resources: [keyArn],
        conditions: {
          StringEquals: {
            'kms:ViaService': ['dynamodb', ...REACHED[name]].map((service) => `${service}.${region}.amazonaws.com`),
          },
        },
      }),
    );
  }
};
