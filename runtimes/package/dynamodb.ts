export * from '../../adapters/dynamodb/client.ts';
export * from '../../adapters/dynamodb/dynamodb-dump.ts';
export * from '../../adapters/dynamodb/dynamodb-table.ts';
