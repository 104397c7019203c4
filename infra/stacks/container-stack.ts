import {
  CfnOutput,
  CrossStackReferences,
  Duration,
  Fn,
  ReferenceStrength,
  RemovalPolicy,
  Stack,
  Validations,
} from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { GatewayVpcEndpointAwsService, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { Repository } from 'aws-cdk-lib/aws-ecr';
import {
  Cluster,
  ContainerImage,
  ContainerInsights,
  CpuArchitecture,
  FargateService,
  FargateTaskDefinition,
  LogDriver,
  OperatingSystemFamily,
} from 'aws-cdk-lib/aws-ecs';
import {
  ApplicationLoadBalancer,
  ApplicationProtocol,
  type ApplicationTargetGroup,
  HttpCodeElb,
  HttpCodeTarget,
  ListenerAction,
  ListenerCondition,
  SslPolicy,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { OBJECTS, PING } from '../../adapters/s3/prefixes.ts';
import { PUBLIC_HOSTS, variableOf } from '../../ports/inbound/hosts.ts';
import type { SignedFiles } from '../constructs/signed-files.ts';
import type { WatchedMetric } from '../constructs/watched.ts';
import { tableInUse } from '../in-use.ts';
import { ACTIONS, FILE_ACCESS, mailStatement, mailVariables } from '../permissions/allow-functions.ts';
import type { Option, Stage } from '../stage.ts';
import type { DataStack } from './data-stack.ts';
import type { ServiceStack } from './service-stack.ts';

/** The actions that the functions of the container's hosts may take on the files of each folder. */
const FILES: ReadonlyMap<string, readonly string[]> = new Map(
  [...Map.groupBy(Object.values({ ...FILE_ACCESS, shop: {} }).flatMap(Object.entries), ([folder]) => folder)].map(
    ([folder, all]) => [folder, [...new Set(all.flatMap(([, { actions }]) => actions))]],
  ),
);

/** Gives the role of the container all permissions of the functions on table, files and keys. */
const allowContainer = (role: Role, data: DataStack, tableArn: string, secretArns: readonly string[]): void => {
  const allow = (actions: readonly string[], resources: string[], conditions: Record<string, object> = {}): void => {
    role.addToPolicy(new PolicyStatement({ actions: [...actions], resources, conditions }));
  };
  const bucket = Fn.importValue(data.objectsExport);
  // The erasure of an account reads the whole table.
  allow([...Object.values(ACTIONS).flat(), 'dynamodb:Scan'].toSorted(), [tableArn]);
  for (const [folder, actions] of FILES) allow(actions, [`${bucket}/${OBJECTS}${folder}/*`]);
  // `/readyz` and the doctor write and read their own small object.
  allow(['s3:GetObject', 's3:PutObject'], [`${bucket}/${OBJECTS}doctor/probe`]);
  // S3 answers 404 for a missing file only to callers that may list it; the doctor lists a prefix without files.
  const prefixes = [...[...FILES.keys()].map((folder) => `${OBJECTS}${folder}/*`), `${OBJECTS}doctor/*`, PING];
  allow(['s3:ListBucket'], [bucket], { StringLike: { 's3:prefix': prefixes } });
  allow(['secretsmanager:GetSecretValue'], [data.licenseKey.secretArn, data.policyKeys.secretArn, ...secretArns]);
};

/** The port of the API host, which serves every host by its name. */
const PORT = 8787;

/** The image's volume, the only location to which the process writes. */
const DATA_DIR = '/data';

type Served = { readonly stage: Stage; readonly data: DataStack; readonly container: Option<'container'> };

type TaskProps = Served & {
  readonly files: SignedFiles | undefined;
  /** The address ranges of the load balancer. */
  readonly trusted: readonly string[];
};

const ECR = /^(\d{12})\.dkr\.ecr\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?\/([^:@]+)[:@](.+)$/;

/** An image in ECR, which the task may then pull, or in a public registry. */
const imageOf = (scope: Construct, image: string): ContainerImage => {
  const [, account, region, repositoryName, version] = ECR.exec(image) ?? [];
  if (repositoryName === undefined) return ContainerImage.fromRegistry(image);
  const repositoryArn = `arn:${Stack.of(scope).partition}:ecr:${region}:${account}:repository/${repositoryName}`;
  return ContainerImage.fromEcrRepository(
    Repository.fromRepositoryAttributes(scope, 'Image', { repositoryArn, repositoryName }),
    version,
  );
};

/** The process of `npm start` on the table and the bucket, with its own worker for the jobs. It writes to its volume. */
class ContainerTask extends Construct {
  readonly definition: FargateTaskDefinition;

  constructor(scope: Construct, id: string, { stage, data, container, files, trusted }: TaskProps) {
    super(scope, id);
    const table = tableInUse(Stack.of(this), stage);
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('ecs-tasks.amazonaws.com') });
    allowContainer(role, data, table.tableArn, [
      ...(files ? [files.keySecretArn] : []),
      ...[stage.webhooks, stage.upstream].flatMap((one) => one?.secretArn ?? []),
    ]);
    if (stage.mail) role.addToPolicy(mailStatement(this, stage.mail));
    Validations.of(role).acknowledge(
      ...[...FILES.keys()].map((folder) => ({
        id: `AwsSolutions-IAM5[Resource::${data.objectsExport}/objects/${folder}/*]`,
        reason: 'Each file lies under its own hash, which nobody knows beforehand.',
      })),
    );
    this.definition = new FargateTaskDefinition(this, 'Definition', {
      cpu: 1024,
      memoryLimitMiB: 2048,
      taskRole: role,
      volumes: [{ name: 'data' }],
      runtimePlatform: {
        cpuArchitecture: container.architecture === 'arm64' ? CpuArchitecture.ARM64 : CpuArchitecture.X86_64,
        operatingSystemFamily: OperatingSystemFamily.LINUX,
      },
    });
    const logGroup = new LogGroup(this, 'Log', { retention: stage.logDays, removalPolicy: RemovalPolicy.DESTROY });
    const added = this.definition.addContainer('Service', {
      image: imageOf(this, container.image),
      portMappings: [{ containerPort: PORT }],
      readonlyRootFilesystem: true,
      stopTimeout: Duration.seconds(30),
      logging: LogDriver.awsLogs({ logGroup, streamPrefix: 'task' }),
      environment: {
        ...stage.variables,
        ...Object.fromEntries(
          PUBLIC_HOSTS.map((host) => [`${variableOf(host)}_URL`, `https://${stage.domains[host]}`]),
        ),
        ...(stage.domains.legacy && { LEGACY_URL: `https://${stage.domains.legacy}` }),
        STORE: 'dynamodb',
        OBJECTS: 's3',
        TABLE_NAME: table.tableName,
        BUCKET_NAME: data.objects.bucketName,
        LICENSE_KEY_SECRET_ARN: data.licenseKey.secretArn,
        POLICY_KEYS_SECRET_ARN: data.policyKeys.secretArn,
        TRUSTED_PROXIES: trusted.join(','),
        DATA_DIR,
        NODE_COMPILE_CACHE: `${DATA_DIR}/compiled`,
        ...mailVariables(stage.mail),
        ...(stage.webhooks && { WEBHOOK_SECRETS_ARN: stage.webhooks.secretArn }),
        ...files?.variables,
        ...(stage.upstream && {
          UPSTREAM_ISSUER: stage.upstream.issuer,
          UPSTREAM_CLIENT_ID: stage.upstream.clientId,
          UPSTREAM_CLIENT_SECRET_ARN: stage.upstream.secretArn,
          UPSTREAM_NAME: stage.upstream.name,
        }),
      },
    });
    added.addMountPoints({ sourceVolume: 'data', containerPath: DATA_DIR, readOnly: false });
    Validations.of(this.definition).acknowledge(
      { id: 'AwsSolutions-ECS2', reason: 'No variable holds a secret: they are names, addresses and ARNs.' },
      {
        id: 'AwsSolutions-IAM5[Resource::*]',
        reason: 'ECR gives its token for a registry, and not for one repository.',
      },
    );
  }
}

/** The subnets of the load balancer, which the service trusts to name a client's address, and those of the tasks. */
const EDGE = 'edge';
const TASKS = 'tasks';

const period = Duration.minutes(5);

/** The alarms of the container. It serves requests through the balancer, which the functions' alarms don't see. */
const watchedBalancer = (balancer: ApplicationLoadBalancer, target: ApplicationTargetGroup): WatchedMetric[] => [
  {
    id: 'container-errors',
    what: 'More than 1 % of the requests to the container failed',
    metric: new MathExpression({
      expression:
        'IF(FILL(failed, 0) + FILL(unreached, 0) > 2, 100 * (FILL(failed, 0) + FILL(unreached, 0)) / asked, 0)',
      usingMetrics: {
        failed: target.metrics.httpCodeTarget(HttpCodeTarget.TARGET_5XX_COUNT, { period }),
        unreached: balancer.metrics.httpCodeElb(HttpCodeElb.ELB_5XX_COUNT, { period }),
        asked: balancer.metrics.requestCount({ period }),
      },
      period,
    }),
    bound: { over: 1 },
  },
  {
    id: 'container-latency',
    what: 'One request to the container in a hundred took more than 2 s',
    metric: target.metrics.targetResponseTime({ period, statistic: 'p99' }),
    bound: { over: 2 },
    of: [3, 3],
  },
  {
    id: 'container-unhealthy',
    what: 'A task of the container ends again and again, or does not answer',
    metric: target.metrics.unhealthyHostCount({ period, statistic: 'Maximum' }),
    bound: { over: 0 },
    of: [3, 3],
  },
];

/**
 * Runs the container behind a load balancer, in parallel with the functions and on the same data, with their web ACL
 * and their distribution of files. The hosts have the same names, so DNS decides which one answers.
 */
export class ContainerStack extends Stack {
  readonly watched: readonly WatchedMetric[];

  constructor(
    scope: Construct,
    id: string,
    { stage, data, service: functions, container }: Served & { readonly service: ServiceStack },
  ) {
    super(scope, id);
    this.addStackDependency(data);
    // It imports no export, which would keep the service stack from removing its web ACL or its distribution.
    CrossStackReferences.of(this).consume(ReferenceStrength.BOTH);
    const vpc = this.#network();
    const trusted = vpc.selectSubnets({ subnetGroupName: EDGE }).subnets.map(({ ipv4CidrBlock }) => ipv4CidrBlock);
    const task = new ContainerTask(this, 'Task', { stage, data, container, files: functions.files, trusted });
    const cluster = new Cluster(this, 'Cluster', { vpc, containerInsightsV2: ContainerInsights.DISABLED });
    Validations.of(cluster).acknowledge({
      id: 'AwsSolutions-ECS4',
      reason: 'The metrics of the service and the balancer, which alarms and scaling read, come without charge.',
    });
    const service = new FargateService(this, 'Service', {
      cluster,
      taskDefinition: task.definition,
      desiredCount: container.leastTasks,
      minHealthyPercent: 100,
      maxHealthyPercent: 200,
      // The tasks have public addresses, which cost less than a NAT gateway; only the load balancer can reach them.
      assignPublicIp: true,
      vpcSubnets: { subnetGroupName: TASKS },
      circuitBreaker: { rollback: true },
      healthCheckGracePeriod: Duration.minutes(1),
    });
    const balancer = new ApplicationLoadBalancer(this, 'Balancer', {
      vpc,
      vpcSubnets: { subnetGroupName: EDGE },
      internetFacing: true,
      // The service keeps a connection for 75 seconds, so it never closes one that the balancer is about to use.
      idleTimeout: Duration.seconds(60),
      dropInvalidHeaderFields: true,
      deletionProtection: stage.keepData,
    });
    Validations.of(balancer).acknowledge(
      { id: 'AwsSolutions-EC23', reason: 'The hosts are public: every buyer’s application calls them.' },
      {
        id: 'AwsSolutions-ELB2',
        reason: 'The service logs each request once; another log would double personal data.',
      },
    );
    const target = this.#listen(balancer, service, stage);
    functions.acl?.protect(this, 'container', balancer.loadBalancerArn);
    service
      .autoScaleTaskCount({ minCapacity: container.leastTasks, maxCapacity: container.mostTasks })
      .scaleOnCpuUtilization('Cpu', { targetUtilizationPercent: 60 });
    this.watched = watchedBalancer(balancer, target);
    new CfnOutput(this, 'BalancerName', { value: balancer.loadBalancerDnsName });
  }

  /**
   * Public subnets in two zones. Calls to the table and the bucket stay inside AWS through endpoints that cost nothing.
   */
  #network(): Vpc {
    const vpc = new Vpc(this, 'Network', {
      maxAzs: 2,
      natGateways: 0,
      subnetConfiguration: [EDGE, TASKS].map((name) => ({ name, subnetType: SubnetType.PUBLIC, cidrMask: 22 })),
      gatewayEndpoints: {
        Table: { service: GatewayVpcEndpointAwsService.DYNAMODB },
        Files: { service: GatewayVpcEndpointAwsService.S3 },
      },
    });
    Validations.of(vpc).acknowledge({
      id: 'AwsSolutions-VPC7',
      reason: 'The service logs each request, and the security groups let nothing else in.',
    });
    return vpc;
  }

  #listen(
    balancer: ApplicationLoadBalancer,
    service: FargateService,
    { domains, certificateArn }: Stage,
  ): ApplicationTargetGroup {
    // The shop host stays with its function, because only that one may scan the whole table.
    const names = [...PUBLIC_HOSTS, 'legacy' as const].flatMap((host) => domains[host] ?? []);
    balancer.addRedirect();
    const listener = balancer.addListener('Https', {
      port: 443,
      sslPolicy: SslPolicy.RECOMMENDED_TLS,
      certificates: [Certificate.fromCertificateArn(this, 'Certificate', certificateArn)],
      defaultAction: ListenerAction.fixedResponse(404),
    });
    return listener.addTargets('Tasks', {
      priority: 1,
      conditions: [ListenerCondition.hostHeaders(names)],
      protocol: ApplicationProtocol.HTTP,
      port: PORT,
      targets: [service],
      healthCheck: { path: '/healthz', interval: Duration.seconds(10), healthyThresholdCount: 2 },
      // The time without new requests before the task is told to stop. It then has 30 seconds, and takes up to 20.
      deregistrationDelay: Duration.seconds(30),
    });
  }
}
