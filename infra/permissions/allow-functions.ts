import { Fn, Stack, Validations } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { COUNTERS } from '../../adapters/dynamodb/partitions.ts';
import { OBJECTS, PING } from '../../adapters/s3/prefixes.ts';
import { FUNCTIONS, type FunctionName } from '../bundles/functions.ts';
import type { HostFunction } from '../constructs/host-function.ts';
import type { DataStack } from '../stacks/data-stack.ts';
import type { Option } from '../stage.ts';
import { type Readable, TABLE_ACCESS, type TableWay } from './table-access.ts';

/**
 * The folders of the bucket: published files by their hashes, files of reports, of the design host, and of the doctor.
 */
export type Folder = 'sha256' | 'reports' | 'design' | 'doctor';

export type FileAccess = {
  readonly actions: readonly string[];
  /** True if the function reads files that may be missing, in addition to signing URLs. */
  readonly looks?: boolean;
};

const SIGNS: FileAccess = { actions: ['s3:GetObject'] };

/** Stores the files of reports, and removes a file if its account was erased meanwhile. */
const REPORTS: FileAccess = { actions: ['s3:PutObject', 's3:GetObject', 's3:DeleteObject'], looks: true };

/**
 * The actions of each function on the files of a folder. A signed URL has the permissions of its signer. No function
 * may remove a published file, and only the shop host may add one.
 */
export const FILE_ACCESS: Readonly<Record<FunctionName, Readonly<Partial<Record<Folder, FileAccess>>>>> = {
  // It signs URLs of a buyer's own files, and stores the files of tickets.
  account: { sha256: SIGNS, reports: REPORTS },
  api: { sha256: SIGNS, reports: REPORTS },
  app: { sha256: SIGNS },
  // It stores uploads, and signs uploads that are too large for the function itself.
  design: { design: { actions: ['s3:GetObject', 's3:PutObject'], looks: true } },
  downloads: { sha256: { actions: ['s3:GetObject'], looks: true } },
  // It completes the erasures of accounts, which delete the files of tickets.
  mail: { reports: { actions: ['s3:DeleteObject'] } },
  mcp: { sha256: SIGNS },
  media: { design: { actions: ['s3:GetObject'], looks: true } },
  reference: {},
  // It stores pages and thumbnails, and discards the parts of a page whose upload failed.
  replay: { design: { actions: ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload'], looks: true } },
  // It signs the uploads of releases' files, and reads them. It stores the files of answers, and signs URLs
  // of tickets' files, which an account's erasure deletes. It runs the doctor, which writes a small object and reads it back.
  shop: {
    sha256: { actions: ['s3:GetObject', 's3:PutObject'], looks: true },
    reports: REPORTS,
    doctor: { actions: ['s3:GetObject', 's3:PutObject'], looks: true },
  },
};

/** The functions that sign URLs of published files, and read none. */
export const SIGNING: readonly FunctionName[] = FUNCTIONS.filter((name) => FILE_ACCESS[name].sha256 === SIGNS);

/** The permission to send from one address, through the identity of the address or of its domain. */
export const mailStatement = (scope: Construct, { from }: Option<'mail'>): PolicyStatement => {
  const stack = Stack.of(scope);
  const names = [from, from.slice(from.lastIndexOf('@') + 1)];
  return new PolicyStatement({
    actions: ['ses:SendEmail', 'ses:SendRawEmail'],
    resources: names.map((resourceName) => stack.formatArn({ service: 'ses', resource: 'identity', resourceName })),
    conditions: { StringEquals: { 'ses:FromAddress': from } },
  });
};

/** The variables for writing and sending messages to buyers. */
export const mailVariables = (mail: Option<'mail'> | undefined): Record<string, string> =>
  mail ? { MAIL: 'ses', MAIL_FROM: mail.from } : {};

/**
 * The actions of each way to use a partition. A transaction needs the permissions of its parts (DynamoDB developer
 * guide, "Using IAM with DynamoDB transactions"). A scan names no key, so only the functions that erase accounts may
 * scan.
 */
export const ACTIONS: Readonly<Record<TableWay, readonly string[]>> = {
  read: ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'],
  put: ['dynamodb:PutItem'],
  remove: ['dynamodb:DeleteItem'],
  check: ['dynamodb:ConditionCheckItem'],
  count: ['dynamodb:UpdateItem'],
};

/** The partition keys of families as stored. Only counters are updated, and they have their own keys. */
export const storedKeys = (way: TableWay, families: readonly Readable[]): string[] =>
  families.map((family) => (way === 'count' ? COUNTERS + family : family));

/**
 * The permissions of a function on the table, as statements. `dynamodb:LeadingKeys` has the partition keys in a call,
 * and must be tested with ForAllValues (DynamoDB developer guide, "Using IAM policy conditions for fine-grained access
 * control"). ForAllValues also holds for a call without keys, so each statement excludes those by Null (IAM user guide,
 * "Set operators for multivalued context keys").
 */
const tableStatements = (name: FunctionName, tableArn: string): PolicyStatement[] =>
  Object.entries(ACTIONS).flatMap(([way, actions]) => {
    const families = TABLE_ACCESS[name][way as TableWay] ?? [];
    if (families.length === 0) return [];
    const keys = storedKeys(way as TableWay, families);
    const conditions = {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys },
      Null: { 'dynamodb:LeadingKeys': 'false' },
    };
    return [new PolicyStatement({ actions: [...actions], resources: [tableArn], conditions })];
  });

const scanStatements = (name: FunctionName, tableArn: string): PolicyStatement[] =>
  TABLE_ACCESS[name].scans ? [new PolicyStatement({ actions: ['dynamodb:Scan'], resources: [tableArn] })] : [];

type Functions = Readonly<Record<FunctionName, HostFunction>>;

export type Resources = {
  /** The table in use. */
  readonly table: ITableV2;
  readonly data: DataStack;
  /** True if CloudFront serves all published files, so that no function signs a URL of the bucket for them. */
  readonly byCloudFront: boolean;
};

/** Explains why the names of a folder's files end with a wildcard. */
const REASONS: Readonly<Record<Folder, string>> = {
  sha256: 'Each file lies under its own hash; the entitlement, or the role of the agent, decides which one is touched.',
  reports: 'Each file lies under its day and its own hash, which nobody knows beforehand.',
  design: 'Each file lies under its own hash, which nobody knows beforehand.',
  doctor: 'The doctor tries to store an object under a name that no other has.',
};

const allowTable = (functions: Functions, { table }: Resources): void => {
  for (const name of FUNCTIONS) {
    const statements = [...tableStatements(name, table.tableArn), ...scanStatements(name, table.tableArn)];
    for (const statement of statements) functions[name].function.addToRolePolicy(statement);
  }
};

/**
 * S3 answers 404 for a missing file only to callers that may list it, otherwise 403. So each function may list these
 * prefixes, and no others (S3 user guide, "Bucket policy examples using condition keys").
 */
const allowListing = (functions: Functions, { data }: Resources): void => {
  for (const name of FUNCTIONS) {
    const looked = Object.entries(FILE_ACCESS[name]).filter(([, { looks }]) => looks);
    const prefixes = looked.map(([folder]) => `${OBJECTS}${folder}/*`);
    if (prefixes.length === 0) continue;
    if (FILE_ACCESS[name].doctor) prefixes.push(PING);
    functions[name].function.addToRolePolicy(
      new PolicyStatement({
        actions: ['s3:ListBucket'],
        resources: [data.objects.bucketArn],
        conditions: { StringLike: { 's3:prefix': prefixes } },
      }),
    );
  }
};

const allowFiles = (functions: Functions, { data, byCloudFront }: Resources): void => {
  for (const name of FUNCTIONS) {
    for (const [folder, { actions }] of Object.entries(FILE_ACCESS[name])) {
      if (byCloudFront && folder === 'sha256' && SIGNING.includes(name)) continue;
      functions[name].allow(actions, `${Fn.importValue(data.objectsExport)}/objects/${folder}/*`);
      Validations.of(functions[name]).acknowledge({
        id: `AwsSolutions-IAM5[Resource::${data.objectsExport}/objects/${folder}/*]`,
        reason: REASONS[folder as Folder],
      });
    }
  }
};

const allowSecrets = ({ account, api, app, mail, mcp, shop }: Functions, { data }: Resources): void => {
  const secrets = [
    { to: api, variable: 'LICENSE_KEY_SECRET_ARN', secret: data.licenseKey },
    { to: api, variable: 'POLICY_KEYS_SECRET_ARN', secret: data.policyKeys },
    // Its tools are the api function's endpoints.
    { to: mcp, variable: 'LICENSE_KEY_SECRET_ARN', secret: data.licenseKey },
    { to: mcp, variable: 'POLICY_KEYS_SECRET_ARN', secret: data.policyKeys },
    // A page signs the file for a machine that is never online.
    { to: account, variable: 'LICENSE_KEY_SECRET_ARN', secret: data.licenseKey },
    // The app host signs the links of its feeds, and verifies them.
    { to: app, variable: 'LICENSE_KEY_SECRET_ARN', secret: data.licenseKey },
    // The license keys encrypt the secrets of webhooks, which the shop function makes and the mail function uses.
    { to: mail, variable: 'LICENSE_KEY_SECRET_ARN', secret: data.licenseKey },
    { to: shop, variable: 'LICENSE_KEY_SECRET_ARN', secret: data.licenseKey },
    // It signs the files of releases that are published through it.
    { to: shop, variable: 'ARTIFACT_KEY_SECRET_ARN', secret: data.artifactKey },
  ];
  // An owner creates the first key of the policy in the console.
  shop.allow(
    ['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue', 'secretsmanager:UpdateSecretVersionStage'],
    data.policyKeys.secretArn,
  );
  shop.function.addEnvironment('POLICY_KEYS_SECRET_ARN', data.policyKeys.secretArn);
  for (const { to, variable, secret } of secrets) {
    to.allow(['secretsmanager:GetSecretValue'], secret.secretArn);
    to.function.addEnvironment(variable, secret.secretArn);
  }
};

/** Allows each function exactly what it needs of the table, the files and the secrets. */
export const allowFunctions = (functions: Functions, resources: Resources): void => {
  allowTable(functions, resources);
  allowFiles(functions, resources);
  allowListing(functions, resources);
  allowSecrets(functions, resources);
};
