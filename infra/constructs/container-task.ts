import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { Repository } from 'aws-cdk-lib/aws-ecr';
import {
  ContainerImage,
  CpuArchitecture,
  FargateTaskDefinition,
  LogDriver,
  OperatingSystemFamily,
  Secret as TaskSecret,
} from 'aws-cdk-lib/aws-ecs';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { PUBLIC_HOSTS, variableOf } from '../../ports/inbound/hosts.ts';
import { allowContainer, filesOf } from '../permissions/allow-container.ts';
import { mailStatement, mailVariables } from '../permissions/allow-mail.ts';
import type { DataStack } from '../stacks/data-stack.ts';
import type { Option, Stage } from '../stage.ts';
import { tableInUse } from '../table-in-use.ts';
import type { SignedFiles } from './signed-files.ts';

/** The port of the API host, which answers for every host by its name. */
export const PORT = 8787;

/** The image's volume, the only place that the process writes to. */
const DATA_DIR = '/data';

export type ContainerTaskProps = {
  readonly stage: Stage;
  readonly data: DataStack;
  readonly container: Option<'container'>;
  readonly files: SignedFiles | undefined;
  /** The ranges of the load balancer. */
  readonly trusted: readonly string[];
};

const ECR = /^(\d{12})\.dkr\.ecr\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?\/([^:@]+)[:@](.+)$/;

/** An image of ECR, which the task may then pull, or one of a public registry. */
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
export class ContainerTask extends Construct {
  readonly definition: FargateTaskDefinition;

  constructor(scope: Construct, id: string, { stage, data, container, files, trusted }: ContainerTaskProps) {
    super(scope, id);
    const table = tableInUse(Stack.of(this), stage);
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('ecs-tasks.amazonaws.com') });
    allowContainer(role, data, table.tableArn, [
      ...(files ? [files.keySecretArn] : []),
      ...(stage.webhooks ? [stage.webhooks.secretArn] : []),
    ]);
    if (stage.mail) role.addToPolicy(mailStatement(this, stage.mail));
    Validations.of(role).acknowledge(
      ...filesOf(data).map((finding) => ({
        id: `AwsSolutions-IAM5[${finding}]`,
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
          UPSTREAM_NAME: stage.upstream.name,
        }),
      },
      ...(stage.upstream && {
        secrets: {
          UPSTREAM_CLIENT_SECRET: TaskSecret.fromSecretsManager(
            Secret.fromSecretCompleteArn(this, 'Upstream', stage.upstream.secretArn),
          ),
        },
      }),
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
