import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

const CONNECTIONS = 256;

/**
 * A client that tries each call once, because the table itself retries. If `config` has no region, credentials or
 * endpoint, the SDK takes them from its own environment variables, such as AWS_ENDPOINT_URL_DYNAMODB.
 */
export const dynamodbClient = (config: DynamoDBClientConfig = {}): DynamoDBClient =>
  new DynamoDBClient({
    maxAttempts: 1,
    requestHandler: { httpAgent: { maxSockets: CONNECTIONS }, httpsAgent: { maxSockets: CONNECTIONS } },
    ...config,
  });
