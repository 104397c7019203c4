import { randomUUID } from 'node:crypto';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';

/** Creates a bucket and returns its name. */
export const createBucket = async (): Promise<string> => {
  const Bucket = `bucket-${randomUUID()}`;
  await new S3Client().send(
    new CreateBucketCommand({ Bucket, CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' } }),
  );
  return Bucket;
};
