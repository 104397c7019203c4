import {
  CreateTableCommand,
  type DynamoDBClient,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';

const LONGEST_WAIT_SECONDS = 60;

/**
 * Creates a table for DynamodbTable with on-demand billing, and resolves once it is usable. It is for tests and trials:
 * it adds no backups and no alarms, which a permanent table needs. Throws ResourceInUseException if the name is taken.
 */
export const createTable = async (client: DynamoDBClient, TableName: string): Promise<void> => {
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    }),
  );
  await waitUntilTableExists({ client, maxWaitTime: LONGEST_WAIT_SECONDS, minDelay: 1 }, { TableName });
  await client.send(
    new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true } }),
  );
};
