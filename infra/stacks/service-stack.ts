import { CfnOutput, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { CfnAccount } from 'aws-cdk-lib/aws-apigateway';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { PUBLIC_HOSTS, variableOf } from '../../ports/inbound/hosts.ts';
import { FUNCTIONS, type FunctionName } from '../bundles/functions.ts';
import { Canary } from '../constructs/canary.ts';
import { HostApi } from '../constructs/host-api.ts';
import { HostFunction } from '../constructs/host-function.ts';
import { Jobs } from '../constructs/jobs.ts';
import { SignedFiles } from '../constructs/signed-files.ts';
import { WebAcl } from '../constructs/web-acl.ts';
import { tableInUse } from '../in-use.ts';
import { allowFunctions, mailStatement, mailVariables, SIGNING } from '../permissions/allow-functions.ts';
import { DEPLOYED, type DeployedHost, NAMED, type NamedHost } from '../routes.ts';
import type { Stage } from '../stage.ts';
import type { DataStack } from './data-stack.ts';

/** Answers requests: an API for each host, and the functions behind them. */
export class ServiceStack extends Stack {
  readonly functions: Readonly<Record<FunctionName, HostFunction>>;
  /** The APIs of the hosts that the stage has. */
  readonly apis: Readonly<Record<DeployedHost, HostApi> & Partial<Record<NamedHost, HostApi>>>;
  readonly hosts: readonly HostApi[];
  readonly jobs: Jobs;
  /** The web ACL, for which AWS charges; undefined if the stage has none. */
  readonly acl: WebAcl | undefined;
  readonly files: SignedFiles | undefined;
  /** The gradual releases; undefined if all calls change at once. */
  readonly canary: Canary | undefined;

  /** `bundles` is the folder of the built bundles. */
  constructor(
    scope: Construct,
    id: string,
    { stage, data, bundles }: { readonly stage: Stage; readonly data: DataStack; readonly bundles: string },
  ) {
    super(scope, id);
    this.addStackDependency(data);
    const logging = this.#gatewayLogging();
    this.acl =
      stage.wafRate === undefined
        ? undefined
        : new WebAcl(this, 'Firewall', { rate: stage.wafRate, stage: stage.name });
    const served = [...DEPLOYED, ...NAMED.filter((host) => stage.domains[host] !== undefined)];
    this.hosts = served.map((host) => new HostApi(this, { host, stage, acl: this.acl }));
    for (const api of this.hosts) api.node.addDependency(logging);
    this.apis = Object.fromEntries(this.hosts.map((api) => [api.host, api])) as typeof this.apis;
    const { api, legacy, shop } = this.apis;
    const table = tableInUse(this, stage);
    const environment = {
      ...stage.variables,
      STORE: 'dynamodb',
      OBJECTS: 's3',
      TABLE_NAME: table.tableName,
      BUCKET_NAME: data.objects.bucketName,
      DATA_DIR: '/tmp/account-service',
      // A host that exists only with a name has the API host's address until then.
      ...Object.fromEntries(PUBLIC_HOSTS.map((host) => [`${variableOf(host)}_URL`, (this.apis[host] ?? api).url])),
      ...(legacy && { LEGACY_URL: legacy.url }),
      ...(shop && { SHOP_URL: shop.url }),
      ...mailVariables(stage.mail),
    };
    this.functions = Object.fromEntries(
      FUNCTIONS.map((name) => [name, new HostFunction(this, name, { name, stage, bundles, environment })]),
    ) as Record<FunctionName, HostFunction>;
    allowFunctions(this.functions, { table, data, byCloudFront: stage.files !== undefined });
    this.jobs = new Jobs(this, 'jobs');
    this.jobs.ringFrom(this.functions.design);
    const look = this.jobs.wake(this.functions.replay);
    this.#signInWith(stage.upstream);
    this.#sell(stage, look);
    for (const one of this.hosts) one.route(this.functions);
    this.files = stage.files && new SignedFiles(this, 'Files', stage.files, data.objectsExport);
    for (const name of SIGNING) this.files?.letSign(this.functions[name]);
    const { functions, hosts } = this;
    this.canary = stage.canary ? new Canary(this, 'Canary', { stage, functions, hosts }) : undefined;

    new CfnOutput(this, 'JobsQueueUrl', { value: this.jobs.queue.queueUrl });
    new CfnOutput(this, 'DeadLettersUrl', { value: this.jobs.deadLetters.queueUrl });
    // Such as `ApiUrl`, `ApiTarget`, `ApiFunction` and `ApiLog`.
    const output = (of: string, what: string, value: string) =>
      new CfnOutput(this, `${of[0]?.toUpperCase()}${of.slice(1)}${what}`, { value });
    for (const { host, url, target } of hosts) {
      output(host, 'Url', url);
      if (target !== undefined) output(host, 'Target', target);
    }
    for (const name of FUNCTIONS) {
      output(name, 'Function', functions[name].function.functionName);
      output(name, 'Log', functions[name].log.logGroupName);
    }
  }

  /** Lets the account function sign people in at the shop's own provider. */
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

  /**
   * Lets the shop function read the secrets of payment providers and check their events, and the mail function send due
   * messages each minute. Without mail, the jobs' schedule wakes it for the erasures of accounts, because the stack has
   * little room for another rule.
   */
  #sell({ webhooks, mail }: Stage, look: Rule): void {
    const { shop, mail: sender } = this.functions;
    new Rule(this, 'Doctor', {
      description: 'Examines the store.',
      schedule: Schedule.rate(Duration.minutes(30)),
      targets: [new LambdaFunction(shop.live, { event: RuleTargetInput.fromObject({ doctor: true }) })],
    });
    if (webhooks) {
      shop.allow(['secretsmanager:GetSecretValue'], webhooks.secretArn);
      shop.function.addEnvironment('WEBHOOK_SECRETS_ARN', webhooks.secretArn);
      look.addTarget(new LambdaFunction(shop.live));
    }
    if (!mail) {
      look.addTarget(new LambdaFunction(sender.live));
      return;
    }
    sender.function.addToRolePolicy(mailStatement(this, mail));
    new Rule(this, 'Mail', {
      description: 'Sends the messages that are due, and completes the erasures of accounts.',
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(sender.live)],
    });
    // The next minute repeats a failed call.
    sender.live.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
  }

  /**
   * The role with which API Gateway writes logs. An account has one per region, so it stays when the stack is deleted.
   */
  #gatewayLogging(): CfnAccount {
    const role = new Role(this, 'GatewayLogging', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AmazonAPIGatewayPushToCloudWatchLogs')],
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      reason: 'API Gateway requires the rights of this policy for its role, and AWS keeps the policy up to date.',
    });
    role.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    const account = new CfnAccount(this, 'GatewayAccount', { cloudWatchRoleArn: role.roleArn });
    account.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    return account;
  }
}
