import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

const CONNECTIONS = 256;

/**
 * A client that tries each call once, for the table itself decides what is tried again. What `config` leaves out (region,
 * credentials, endpoint) the SDK takes from its own variables, AWS_ENDPOINT_URL_DYNAMODB among them.
 */
export const dynamodbClient = (config: DynamoDBClientConfig = {}): DynamoDBClient =>
  new DynamoDBClient({
    maxAttempts: 1,
    requestHandler: { httpAgent: { maxSockets: CONNECTIONS }, httpsAgent: { maxSockets: CONNECTIONS } },
    ...config,
  });
