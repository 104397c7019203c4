import { newBucket } from './buckets.ts';
import { newTable } from './tables.ts';

/** The variables that put the service on a new table and a new bucket. */
export const awsEngines = async (): Promise<Record<string, string>> => {
  const [TABLE_NAME, BUCKET_NAME] = await Promise.all([newTable(), newBucket()]);
  return { STORE: 'dynamodb', OBJECTS: 's3', TABLE_NAME, BUCKET_NAME };
};
