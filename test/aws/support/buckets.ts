import { randomUUID } from 'node:crypto';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';

export const s3 = new S3Client();

/** Creates an empty bucket and returns its name. */
export const newBucket = async (): Promise<string> => {
  const Bucket = `bucket-${randomUUID()}`;
  const LocationConstraint = 'eu-west-1';
  await s3.send(new CreateBucketCommand({ Bucket, CreateBucketConfiguration: { LocationConstraint } }));
  return Bucket;
};
