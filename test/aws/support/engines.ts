import { newBucket } from './buckets.ts';
import { newTable } from './tables.ts';

/** Creates a table and a bucket, and returns the variables that select them. */
export const awsEngines = async (): Promise<Record<string, string>> => {
  const [TABLE_NAME, BUCKET_NAME] = await Promise.all([newTable(), newBucket()]);
  return { STORE: 'dynamodb', OBJECTS: 's3', TABLE_NAME, BUCKET_NAME };
};
