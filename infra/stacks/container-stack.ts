import {
  CfnOutput,
  CrossStackReferences,
  Duration,
  ReferenceStrength,
  Stack,
  type StackProps,
  Validations,
} from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { GatewayVpcEndpointAwsService, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { Cluster, ContainerInsights, FargateService } from 'aws-cdk-lib/aws-ecs';
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
import type { Construct } from 'constructs';
import { PUBLIC_HOSTS } from '../../ports/inbound/hosts.ts';
import { ContainerTask, PORT } from '../constructs/container-task.ts';
import type { WatchedMetric } from '../constructs/watched.ts';
import type { Option, Stage } from '../stage.ts';
import type { DataStack } from './data-stack.ts';
import type { ServiceStack } from './service-stack.ts';

export type ContainerStackProps = StackProps & {
  readonly stage: Stage;
  readonly data: DataStack;
  /** Has the web ACL and the distribution of files, which the container shares. */
  readonly service: ServiceStack;
  readonly container: Option<'container'>;
};

/** Subnets of the load balancer, whose word about a client's address the service takes, and of the tasks. */
const EDGE = 'edge';
const TASKS = 'tasks';

const period = Duration.minutes(5);

/** The alarms of the container, which serves by the balancer what the functions' own don't see. */
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
    missing: 'idle',
  },
  {
    id: 'container-latency',
    what: 'One request to the container in a hundred took more than 2 s',
    metric: target.metrics.targetResponseTime({ period, statistic: 'p99' }),
    bound: { over: 2 },
    of: [3, 3],
    missing: 'idle',
  },
];

/**
 * Runs the container behind a load balancer, beside the functions and on the same data. The names of the hosts are the
 * same, so that DNS decides who answers.
 */
export class ContainerStack extends Stack {
  readonly watched: readonly WatchedMetric[];

  constructor(
    scope: Construct,
    id: string,
    { stage, data, service: functions, container, ...props }: ContainerStackProps,
  ) {
    super(scope, id, props);
    this.addStackDependency(data);
    // It imports no export, which would keep the service stack from giving up its web ACL or its distribution.
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
      // The tasks have addresses of their own, which cost less than a NAT gateway; only the load balancer gets in.
      assignPublicIp: true,
      vpcSubnets: { subnetGroupName: TASKS },
      circuitBreaker: { rollback: true },
      healthCheckGracePeriod: Duration.minutes(1),
    });
    const balancer = new ApplicationLoadBalancer(this, 'Balancer', {
      vpc,
      vpcSubnets: { subnetGroupName: EDGE },
      internetFacing: true,
      // The service keeps a connection for 75 seconds, so that it never closes one that the balancer is about to use.
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

  /** Public subnets in two zones. Calls of the table and the bucket stay inside AWS, by endpoints that cost nothing. */
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
    // The shop host stays with its function, which alone may read the whole table.
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
      // No new requests come for so long before the task is told to stop. It then has 30 seconds, and takes up to 20.
      deregistrationDelay: Duration.seconds(30),
    });
  }
}
