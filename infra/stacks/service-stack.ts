import { CfnOutput, Duration, Fn, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { CfnAccount } from 'aws-cdk-lib/aws-apigateway';
import { type ITableV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { FUNCTIONS, type FunctionName } from '../bundles/functions.ts';
import { HostApi } from '../constructs/host-api.ts';
import { HostFunction } from '../constructs/host-function.ts';
import { DEPLOYED, type DeployedHost } from '../routes.ts';
import type { Stage } from '../stage.ts';
import type { DataStack } from './data-stack.ts';

const READ = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];
/** Beside what they read: rate limits and when a key was used. */
const COUNT = ['dynamodb:UpdateItem', 'dynamodb:PutItem'];
const WRITE = [...COUNT, 'dynamodb:DeleteItem', 'dynamodb:ConditionCheckItem'];

/** No function may scan the table, change what was published or delete a file. */
const TABLE_ACTIONS: Partial<Record<FunctionName, readonly string[]>> = {
  api: [...READ, ...WRITE],
  downloads: [...READ, ...COUNT],
  app: [...READ, ...COUNT],
};

export type ServiceStackProps = StackProps & {
  readonly stage: Stage;
  readonly data: DataStack;
  /** The folder of the built bundles. */
  readonly bundles: string;
};

/** What answers requests: an API for each host, the functions behind them, and the queue for work after the answer. */
export class ServiceStack extends Stack {
  readonly functions: Readonly<Record<FunctionName, HostFunction>>;
  readonly apis: Readonly<Record<DeployedHost, HostApi>>;
  /** Reaches the same functions as the API host, with few headers; where the stage has a name for it. */
  readonly legacyApi: HostApi | undefined;
  /** The table in use. */
  readonly table: ITableV2;
  readonly jobs: Queue;
  readonly deadJobs: Queue;

  constructor(scope: Construct, id: string, { stage, data, bundles, ...props }: ServiceStackProps) {
    super(scope, id, props);
    const logging = this.#gatewayLogging();
    this.apis = Object.fromEntries(DEPLOYED.map((host) => [host, new HostApi(this, host, stage)])) as Record<
      DeployedHost,
      HostApi
    >;
    this.legacyApi = stage.domains.legacy && new HostApi(this, 'legacy', stage);
    const all = [...Object.values(this.apis), ...(this.legacyApi ? [this.legacyApi] : [])];
    for (const api of all) api.node.addDependency(logging);
    const { api, app } = this.apis;
    this.table = stage.restoredTable ? TableV2.fromTableName(this, 'Restored', stage.restoredTable) : data.table;
    const environment = {
      STORE: 'dynamodb',
      OBJECTS: 's3',
      TABLE_NAME: this.table.tableName,
      BUCKET_NAME: data.objects.bucketName,
      DATA_DIR: '/tmp/account-service',
      API_URL: api.url,
      APP_URL: app.url,
      DESIGN_URL: api.url,
      ACCOUNT_URL: stage.accountUrl ?? api.url,
    };
    this.functions = Object.fromEntries(
      FUNCTIONS.map((name) => [name, new HostFunction(this, name, { name, stage, bundles, environment })]),
    ) as Record<FunctionName, HostFunction>;
    this.#allow(data);
    for (const api of all) api.route(this.functions);

    this.deadJobs = new Queue(this, 'DeadJobs', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    this.jobs = new Queue(this, 'Jobs', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      visibilityTimeout: Duration.minutes(15),
      deadLetterQueue: { queue: this.deadJobs, maxReceiveCount: 5 },
    });
    const outputs = { ApiUrl: api.url, AppUrl: app.url, JobsQueueUrl: this.jobs.queueUrl };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }

  #allow(data: DataStack): void {
    for (const [name, actions] of Object.entries(TABLE_ACTIONS)) {
      this.functions[name as FunctionName].allow(actions, this.table.tableArn);
    }
    // API and app only sign URLs, which give what their signer may do.
    for (const name of ['api', 'downloads', 'app'] as const) {
      this.functions[name].allow(['s3:GetObject'], `${Fn.importValue(data.objectsExport)}/objects/sha256/*`);
      Validations.of(this.functions[name]).acknowledge({
        id: `AwsSolutions-IAM5[Resource::${data.objectsExport}/objects/sha256/*]`,
        reason:
          'It reads any file that was published, and nothing else in the bucket; which one, the entitlement decides.',
      });
    }
    // Files of reports are for the operator: what takes them in may also ask whether it has one, and no other function may.
    const reports = `${Fn.importValue(data.objectsExport)}/objects/reports/*`;
    this.functions.api.allow(['s3:PutObject', 's3:GetObject'], reports);
    Validations.of(this.functions.api).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${data.objectsExport}/objects/reports/*]`,
      reason: 'Each file lies under the day that it came and its own hash, which nobody knows before.',
    });
    // To ask whether the bucket is there, and to be told 404 instead of 403 for a file that isn't.
    for (const name of ['api', 'downloads', 'app'] as const) {
      this.functions[name].allow(['s3:ListBucket'], data.objects.bucketArn);
    }
    const { api, app } = this.functions;
    const secrets = [
      { to: api, variable: 'LICENSE_KEY_SECRET_ARN', secret: data.licenseKey },
      { to: api, variable: 'POLICY_KEYS_SECRET_ARN', secret: data.policyKeys },
      // The app host signs the links of its feeds, and knows them again.
      { to: app, variable: 'LICENSE_KEY_SECRET_ARN', secret: data.licenseKey },
    ];
    for (const { to, variable, secret } of secrets) {
      to.allow(['secretsmanager:GetSecretValue'], secret.secretArn);
      to.function.addEnvironment(variable, secret.secretArn);
    }
  }

  /** The role by which API Gateway writes logs: one for an account and region, kept when the stack goes. */
  #gatewayLogging(): CfnAccount {
    const role = new Role(this, 'GatewayLogging', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AmazonAPIGatewayPushToCloudWatchLogs')],
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      reason: 'API Gateway checks that its role may do what this policy allows, and AWS keeps the two in step.',
    });
    role.applyRemovalPolicy(RemovalPolicy.RETAIN);
    const account = new CfnAccount(this, 'GatewayAccount', { cloudWatchRoleArn: role.roleArn });
    account.applyRemovalPolicy(RemovalPolicy.RETAIN);
    return account;
  }
}
