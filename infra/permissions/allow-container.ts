import { Fn } from 'aws-cdk-lib';
import type { Role } from 'aws-cdk-lib/aws-iam';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { OBJECTS, PING } from '../../adapters/s3/prefixes.ts';
import type { DataStack } from '../stacks/data-stack.ts';
import { FILE_ACCESS } from './file-access.ts';

/** The calls of the table's interface. A container serves no shop host, so that it scans no table, and it may change nothing about the table. */
const TABLE = [
  'dynamodb:BatchGetItem',
  'dynamodb:ConditionCheckItem',
  'dynamodb:DeleteItem',
  'dynamodb:GetItem',
  'dynamodb:PutItem',
  'dynamodb:Query',
  'dynamodb:UpdateItem',
];

/** The actions that the functions of the container's hosts may take on the files of each folder. */
const FILES: ReadonlyMap<string, readonly string[]> = new Map(
  [...Map.groupBy(Object.values({ ...FILE_ACCESS, shop: {} }).flatMap(Object.entries), ([folder]) => folder)].map(
    ([folder, all]) => [folder, [...new Set(all.flatMap(([, { actions }]) => actions))]],
  ),
);

/** The resources that end in an asterisk, as cdk-nag names them. */
export const filesOf = ({ objectsExport }: DataStack): string[] =>
  [...FILES.keys()].map((folder) => `Resource::${objectsExport}/objects/${folder}/*`);

/** Allows the role of the container what the functions together may do with table, files and keys. */
export const allowContainer = (role: Role, data: DataStack, tableArn: string, secretArns: readonly string[]): void => {
  const allow = (
    actions: readonly string[],
    resources: readonly string[],
    conditions?: Record<string, object>,
  ): void => {
    role.addToPolicy(
      new PolicyStatement({ actions: [...actions], resources: [...resources], ...(conditions && { conditions }) }),
    );
  };
  const bucket = Fn.importValue(data.objectsExport);
  allow(TABLE, [tableArn]);
  for (const [folder, actions] of FILES) allow(actions, [`${bucket}/${OBJECTS}${folder}/*`]);
  // S3 answers 404 for a missing file only to who may list it; a health check lists a prefix that no file has.
  const prefixes = [...[...FILES.keys()].map((folder) => `${OBJECTS}${folder}/*`), PING];
  allow(['s3:ListBucket'], [bucket], { StringLike: { 's3:prefix': prefixes } });
  allow(['secretsmanager:GetSecretValue'], [data.licenseKey.secretArn, data.policyKeys.secretArn, ...secretArns]);
};
