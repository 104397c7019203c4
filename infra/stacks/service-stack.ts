import { CfnOutput, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { CfnAccount } from 'aws-cdk-lib/aws-apigateway';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { HOSTS, type Host, variableOf } from '../../ports/inbound/hosts.ts';
import { FUNCTIONS, type FunctionName } from '../bundles/functions.ts';
import { Canary } from '../constructs/canary.ts';
import { gatewaysByHost } from '../constructs/gateways.ts';
import { HostApi } from '../constructs/host-api.ts';
import { HostFunction } from '../constructs/host-function.ts';
import { Jobs } from '../constructs/jobs.ts';
import { traceGateways } from '../constructs/tracing.ts';
import { WebAcl } from '../constructs/web-acl.ts';
import { Front } from '../front/front.ts';
import { allowFunctions } from '../permissions/allow-functions.ts';
import { DEPLOYED, type DeployedHost, NAMED, type NamedHost, type Served } from '../routes.ts';
import type { Stage } from '../stage.ts';
import { tableInUse } from '../table-in-use.ts';
import type { DataStack } from './data-stack.ts';

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
  readonly jobs: Jobs;
  /** The releases by a tenth of the calls; undefined where all calls change at once. */
  readonly canary: Canary | undefined;

  constructor(scope: Construct, id: string, { stage, data, bundles, ...props }: ServiceStackProps) {
    super(scope, id, props);
    this.addStackDependency(data);
    const logging = this.#gatewayLogging();
    const apiOf = this.#apiOf(stage);
    this.apis = Object.fromEntries(DEPLOYED.map((host) => [host, apiOf(host)])) as Record<DeployedHost, HostApi>;
    this.named = Object.fromEntries(NAMED.flatMap((host) => (stage.domains[host] ? [[host, apiOf(host)]] : [])));
    const all = [...Object.values(this.apis), ...Object.values(this.named)];
    for (const api of all) api.node.addDependency(logging);
    const { api } = this.apis;
    const table = tableInUse(this, stage);
    const environment = {
      ...stage.settings,
      STORE: 'dynamodb',
      OBJECTS: 's3',
      TABLE_NAME: table.tableName,
      BUCKET_NAME: data.objects.bucketName,
      DATA_DIR: '/tmp/account-service',
      ...Object.fromEntries(HOSTS.map((host) => [`${variableOf(host)}_URL`, this.#urlOf(host)])),
      ...(this.named.legacy && { LEGACY_URL: this.named.legacy.url }),
    };
    this.functions = Object.fromEntries(
      FUNCTIONS.map((name) => [name, new HostFunction(this, name, { name, stage, bundles, environment })]),
    ) as Record<FunctionName, HostFunction>;
    const byCloudFront = stage.cloudFront?.way === 'only' && stage.cloudFront.files !== undefined;
    allowFunctions(this.functions, { table, data, byCloudFront });
    this.jobs = new Jobs(this, 'jobs');
    this.jobs.ringFrom(this.functions.design);
    this.jobs.wake(this.functions.replay);
    this.#signInWith(stage.upstream);
    for (const api of all) api.route(this.functions);
    if (stage.cloudFront) {
      new Front(this, 'Front', {
        settings: stage.cloudFront,
        domains: stage.domains,
        apis: { ...this.apis, ...this.named },
        functions: this.functions,
        objectsExport: data.objectsExport,
      });
    }
    if (stage.tracing === 'xray') traceGateways(this);
    if (stage.deployment === 'canary') {
      const { functions } = this;
      this.canary = new Canary(this, 'Canary', { stage, functions, gateways: gatewaysByHost(this) });
    }

    const { app, design } = this.apis;
    const { account } = this.named;
    const outputs = {
      ApiUrl: api.url,
      AppUrl: app.url,
      DesignUrl: design.url,
      ...(account && { AccountUrl: account.url }),
      JobsQueueUrl: this.jobs.queue.queueUrl,
      DeadLettersUrl: this.jobs.deadLetters.queueUrl,
      ...this.#namesOfFunctions(),
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }

  /** The name and the log group of each function, such as `ApiFunction` and `ApiLog`. */
  #namesOfFunctions(): Record<string, string> {
    return Object.fromEntries(
      FUNCTIONS.flatMap((name) => {
        const { function: fn, log } = this.functions[name];
        const output = `${name[0]?.toUpperCase()}${name.slice(1)}`;
        return [
          [`${output}Function`, fn.functionName],
          [`${output}Log`, log.logGroupName],
        ];
      }),
    );
  }

  /**
   * Makes the API of a host, behind the region's web ACL if there is one. That is no use behind CloudFront, whose own
   * addresses it would count.
   */
  #apiOf(stage: Stage): (host: Served) => HostApi {
    const { waf, cloudFront, domains } = stage;
    const isFronted = (host: Served): boolean => cloudFront !== undefined && domains[host] !== undefined;
    const acl =
      waf && !DEPLOYED.every(isFronted)
        ? new WebAcl(this, 'Firewall', { waf, stage: stage.name, scope: 'REGIONAL' })
        : undefined;
    return (host) => new HostApi(this, { host, stage, acl: isFronted(host) ? undefined : acl });
  }

  /** The public address of a host. One that is reached only by a name of its own has the API host's until then. */
  #urlOf(host: Host): string {
    return { ...this.apis, ...this.named }[host]?.url ?? this.apis.api.url;
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
    role.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    const account = new CfnAccount(this, 'GatewayAccount', { cloudWatchRoleArn: role.roleArn });
    account.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    return account;
  }
}
