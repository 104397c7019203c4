import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { COUNTERS } from '../../adapters/dynamodb/partitions.ts';
import type { FunctionName } from '../bundles/functions.ts';
import { type Readable, TABLE_ACCESS, type TableAccess } from './table-access.ts';

/**
 * The actions of each way to use a partition. A transaction is judged by the actions of its parts (DynamoDB developer
 * guide, "Using IAM with DynamoDB transactions"). No function may scan, because a scan has no leading key.
 */
export const ACTIONS: Readonly<Record<keyof TableAccess, readonly string[]>> = {
  read: ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'],
  put: ['dynamodb:PutItem'],
  remove: ['dynamodb:DeleteItem'],
  check: ['dynamodb:ConditionCheckItem'],
  count: ['dynamodb:UpdateItem'],
};

/** The partition keys of families as the table has them. Only counters are updated, and they have keys of their own. */
export const storedKeys = (way: keyof TableAccess, families: readonly Readable[]): string[] =>
  families.map((family) => (way === 'count' ? COUNTERS + family : family));

/**
 * The rights of a function in the table, as statements. `dynamodb:LeadingKeys` has the partition keys that a call names
 * and is to be asked with ForAllValues (DynamoDB developer guide, "Using IAM policy conditions for fine-grained access
 * control"). ForAllValues also holds for a call that names none, so that each statement refuses those by Null (IAM user
 * guide, "Set operators for multivalued context keys").
 */
export const tableStatements = (name: FunctionName, tableArn: string): PolicyStatement[] =>
  Object.entries(ACTIONS).flatMap(([way, actions]) => {
    const families = TABLE_ACCESS[name][way as keyof TableAccess] ?? [];
    if (families.length === 0) return [];
    const keys = storedKeys(way as keyof TableAccess, families);
    const conditions = {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys },
      Null: { 'dynamodb:LeadingKeys': 'false' },
    };
    return [new PolicyStatement({ actions: [...actions], resources: [tableArn], conditions })];
  });
