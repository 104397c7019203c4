import { startDynamodbLocal } from '../../aws/peers/dynamodb-local.ts';

/** Runs with a new DynamoDB Local. Sets this process's SDK variables to it, so that no request reaches AWS. */
export const withDynamodbLocal = async (run: () => Promise<void>): Promise<void> => {
  const server = await startDynamodbLocal();
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${server.port}`,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  });
  try {
    await run();
  } finally {
    await server.stop();
  }
};
