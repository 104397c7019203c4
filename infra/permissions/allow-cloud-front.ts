import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Bucket } from 'aws-cdk-lib/aws-s3';

/**
 * Lets the distributions of this account read published files, and list nothing. It names no single one: the bucket
 * outlives the stack that makes the distributions, and so can't refer to it. The key of an operator's own, where the
 * bucket has one, lets them decrypt too.
 */
export const allowCloudFront = (objects: Bucket): void => {
  const { account, partition } = Stack.of(objects);
  const allowed = (action: string, resource: string) =>
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudfront.amazonaws.com')],
      actions: [action],
      resources: [resource],
      conditions: {
        StringEquals: { 'AWS:SourceAccount': account },
        ArnLike: { 'AWS:SourceArn': `arn:${partition}:cloudfront::${account}:distribution/*` },
      },
    });
  objects.addToResourcePolicy(allowed('s3:GetObject', objects.arnForObjects('objects/sha256/*')));
  objects.encryptionKey?.addToResourcePolicy(allowed('kms:Decrypt', '*'));
};
