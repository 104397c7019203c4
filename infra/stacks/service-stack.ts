import { CfnOutput, Fn, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { CfnAccount } from 'aws-cdk-lib/aws-apigateway';
import { type ITableV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { FUNCTIONS, type FunctionName } from '../bundles/functions.ts';
import { HostApi } from '../constructs/host-api.ts';
import { HostFunction } from '../constructs/host-function.ts';
import { Jobs } from '../constructs/jobs.ts';
import { DEPLOYED, type DeployedHost, NAMED, type NamedHost } from '../routes.ts';
import type { Stage } from '../stage.ts';
import type { DataStack } from './data-stack.ts';

const READ = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];
/** The writes of every request: its rate limit, and the last use of its key. */
const COUNT = ['dynamodb:UpdateItem', 'dynamodb:PutItem'];
const WRITE = [...COUNT, 'dynamodb:DeleteItem', 'dynamodb:ConditionCheckItem'];

/** The actions of each function on the table. No function may scan it. */
const TABLE_ACTIONS: Partial<Record<FunctionName, readonly string[]>> = {
  api: [...READ, ...WRITE],
  downloads: [...READ, ...COUNT],
  app: [...READ, ...COUNT],
  mcp: [...READ, ...WRITE],
  account: [...READ, ...WRITE],
  design: [...READ, ...WRITE],
  media: [...READ, ...COUNT],
  replay: [...READ, ...WRITE],
  reference: ['dynamodb:UpdateItem'],
};

/** The functions that read or sign published files. */
const SIGNING: readonly FunctionName[] = ['api', 'downloads', 'app', 'mcp', 'account'];

/**
 * The actions on the files of the design host. The design function stores uploads, and signs uploads that it could not
 * take itself; the worker stores pages and thumbnails, and drops the parts of a page whose upload failed.
 */
const DESIGN_FILES: Partial<Record<FunctionName, readonly string[]>> = {
  design: ['s3:GetObject', 's3:PutObject'],
  media: ['s3:GetObject'],
  replay: ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload'],
};

export type ServiceStackProps = StackProps & {
  readonly stage: Stage;
  readonly data: DataStack;
  /** The folder of the built bundles. */
  readonly bundles: string;
};

/** Answers requests: an API for each host, and the functions behind them. */
export class ServiceStack extends Stack {
  readonly functions: Readonly<Record<FunctionName, HostFunction>>;
  readonly apis: Readonly<Record<DeployedHost, HostApi>>;
  /** The hosts that exist only with a name of their own. */
  readonly named: Readonly<Partial<Record<NamedHost, HostApi>>>;
  /** The table in use. */
  readonly table: ITableV2;
  readonly jobs: Jobs;

  constructor(scope: Construct, id: string, { stage, data, bundles, ...props }: ServiceStackProps) {
    super(scope, id, props);
    const logging = this.#gatewayLogging();
    this.apis = Object.fromEntries(DEPLOYED.map((host) => [host, new HostApi(this, host, stage)])) as Record<
      DeployedHost,
      HostApi
    >;
    this.named = Object.fromEntries(
      NAMED.flatMap((host) => (stage.domains[host] ? [[host, new HostApi(this, host, stage)]] : [])),
    );
    const all = [...Object.values(this.apis), ...Object.values(this.named)];
    for (const api of all) api.node.addDependency(logging);
    const { api, app, design } = this.apis;
    this.table = stage.restoredTable ? TableV2.fromTableName(this, 'Restored', stage.restoredTable) : data.table;
    const environment = {
      ...stage.settings,
      STORE: 'dynamodb',
      OBJECTS: 's3',
      TABLE_NAME: this.table.tableName,
      BUCKET_NAME: data.objects.bucketName,
      DATA_DIR: '/tmp/account-service',
      API_URL: api.url,
      APP_URL: app.url,
      DESIGN_URL: design.url,
      ACCOUNT_URL: this.named.account?.url ?? api.url,
      ...(this.named.legacy && { LEGACY_URL: this.named.legacy.url }),
    };
    this.functions = Object.fromEntries(
      FUNCTIONS.map((name) => [name, new HostFunction(this, name, { name, stage, bundles, environment })]),
    ) as Record<FunctionName, HostFunction>;
    this.#allow(data);
    this.#allowDesign(data);
    this.jobs = new Jobs(this, 'jobs');
    this.jobs.ringFrom(this.functions.design);
    this.jobs.wake(this.functions.replay);
    this.#signInWith(stage.upstream);
    for (const api of all) api.route(this.functions);

    const { account } = this.named;
    const outputs = {
      ApiUrl: api.url,
      AppUrl: app.url,
      DesignUrl: design.url,
      ...(account && { AccountUrl: account.url }),
      JobsQueueUrl: this.jobs.queue.queueUrl,
      DeadLettersUrl: this.jobs.deadLetters.queueUrl,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }

  #allow(data: DataStack): void {
    for (const [name, actions] of Object.entries(TABLE_ACTIONS)) {
      this.functions[name as FunctionName].allow(actions, this.table.tableArn);
    }
    // The functions api, app, mcp and account only sign URLs. A signed URL has the rights of its signer.
    // No function may write or delete a published file.
    for (const name of SIGNING) {
      this.functions[name].allow(['s3:GetObject'], `${Fn.importValue(data.objectsExport)}/objects/sha256/*`);
      Validations.of(this.functions[name]).acknowledge({
        id: `AwsSolutions-IAM5[Resource::${data.objectsExport}/objects/sha256/*]`,
        reason:
          'The function may read any published file and nothing else; the entitlement decides which one it serves.',
      });
    }
    // Files of reports are for the operator. The api function stores them, asks whether the bucket has one already, and
    // removes one whose account was erased meanwhile.
    const reports = `${Fn.importValue(data.objectsExport)}/objects/reports/*`;
    this.functions.api.allow(['s3:PutObject', 's3:GetObject', 's3:DeleteObject'], reports);
    Validations.of(this.functions.api).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${data.objectsExport}/objects/reports/*]`,
      reason: 'Each file lies under its day and its own hash, which nobody knows beforehand.',
    });
    // Lets a function check that the bucket exists, and makes S3 answer 404 instead of 403 for a missing file.
    for (const name of SIGNING) {
      this.functions[name].allow(['s3:ListBucket'], data.objects.bucketArn);
    }
    const { api, app, mcp } = this.functions;
    const secrets = [
      { to: api, variable: 'LICENSE_KEY_SECRET_ARN', secret: data.licenseKey },
      { to: api, variable: 'POLICY_KEYS_SECRET_ARN', secret: data.policyKeys },
      // Its tools are the api function's endpoints.
      { to: mcp, variable: 'LICENSE_KEY_SECRET_ARN', secret: data.licenseKey },
      { to: mcp, variable: 'POLICY_KEYS_SECRET_ARN', secret: data.policyKeys },
      // The app host signs the links of its feeds, and verifies them.
      { to: app, variable: 'LICENSE_KEY_SECRET_ARN', secret: data.licenseKey },
    ];
    for (const { to, variable, secret } of secrets) {
      to.allow(['secretsmanager:GetSecretValue'], secret.secretArn);
      to.function.addEnvironment(variable, secret.secretArn);
    }
  }

  /** The design host's files are no secret, but nobody may put another file in the place of one. */
  #allowDesign(data: DataStack): void {
    const objects = Fn.importValue(data.objectsExport);
    for (const [name, actions] of Object.entries(DESIGN_FILES)) {
      const to = this.functions[name as FunctionName];
      to.allow(actions, `${objects}/objects/design/*`);
      // Lets the function check that the bucket exists, and makes S3 answer 404 instead of 403 for a missing file.
      to.allow(['s3:ListBucket'], data.objects.bucketArn);
      Validations.of(to).acknowledge({
        id: `AwsSolutions-IAM5[Resource::${data.objectsExport}/objects/design/*]`,
        reason: 'Each file lies under its own hash, which nobody knows beforehand.',
      });
    }
  }

  /** Lets the account function ask the shop's own provider who signs in. */
  #signInWith(upstream: Stage['upstream']): void {
    if (!upstream) return;
    const { account } = this.functions;
    account.allow(['secretsmanager:GetSecretValue'], upstream.secretArn);
    const environment = {
      UPSTREAM_ISSUER: upstream.issuer,
      UPSTREAM_CLIENT_ID: upstream.clientId,
      UPSTREAM_NAME: upstream.name,
      UPSTREAM_CLIENT_SECRET_ARN: upstream.secretArn,
    };
    for (const [name, value] of Object.entries(environment)) account.function.addEnvironment(name, value);
  }

  /** The role by which API Gateway writes logs. An account has one a region, so it stays when the stack is deleted. */
  #gatewayLogging(): CfnAccount {
    const role = new Role(this, 'GatewayLogging', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AmazonAPIGatewayPushToCloudWatchLogs')],
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      reason: 'API Gateway requires the rights of this policy for its role, and AWS keeps the policy up to date.',
    });
    role.applyRemovalPolicy(RemovalPolicy.RETAIN);
    const account = new CfnAccount(this, 'GatewayAccount', { cloudWatchRoleArn: role.roleArn });
    account.applyRemovalPolicy(RemovalPolicy.RETAIN);
    return account;
  }
}
