import { newBucket } from './buckets.ts';
import { newKeySecret } from './secrets.ts';
import { newTable } from './tables.ts';

/** Creates a table, a bucket and the secrets of the keys, and returns the variables that select them. */
export const awsEngines = async (): Promise<Record<string, string>> => {
  const [TABLE_NAME, BUCKET_NAME, LICENSE_KEY_SECRET_ARN, ARTIFACT_KEY_SECRET_ARN] = await Promise.all([
    newTable(),
    newBucket(),
    newKeySecret(),
    newKeySecret(),
  ]);
  return { STORE: 'dynamodb', OBJECTS: 's3', TABLE_NAME, BUCKET_NAME, LICENSE_KEY_SECRET_ARN, ARTIFACT_KEY_SECRET_ARN };
};
