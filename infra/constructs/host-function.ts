import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  Architecture,
  Code,
  type FunctionProps,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type BundleName, bundleOf, type FunctionName, memoryOf } from '../bundles/functions.ts';
import { BACKGROUND, STREAMING } from '../routes.ts';
import type { Stage } from '../stage.ts';

type Bundled = { readonly name: BundleName; readonly stage: Stage; readonly bundles: string };

/** A function from its bundle. Its role may only write its own log until something adds to it. */
export const bundledFunction = (
  scope: Construct,
  { name, stage, bundles }: Bundled,
  own: Partial<FunctionProps> & { readonly environment: Readonly<Record<string, string>> },
) => {
  const log = new LogGroup(scope, 'Log', { retention: stage.logDays, removalPolicy: RemovalPolicy.DESTROY });
  const role = new Role(scope, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  log.grantWrite(role);
  const made = new LambdaFunction(scope, 'Function', {
    description: `Account service, ${name} (${stage.name})`,
    // The source maps are not uploaded, because an instance would read them at its start.
    code: Code.fromAsset(bundleOf(name, bundles), { exclude: ['*.map'] }),
    handler: 'index.handler',
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    role,
    logGroup: log,
    loggingFormat: LoggingFormat.JSON,
    ...own,
    environment: { ...own.environment, STAGE: stage.name },
  });
  return { log, function: made };
};

/** A function times out before the gateway does. A stream and background work may take as long as Lambda allows. */
export const timeoutOf = (name: FunctionName): Duration =>
  STREAMING.includes(name) || BACKGROUND.includes(name) ? Duration.minutes(15) : Duration.seconds(20);

/**
 * The number of instances reserved for a function, which is also its maximum. A streaming function is busy for as long
 * as a client reads, up to 15 minutes: without a limit, downloads would take all instances of the account and leave
 * none for license checks. An account with fewer than 300 can't reserve them, because Lambda keeps 100 free.
 */
export const reservedFor = (name: FunctionName, { keepData, instances }: Stage): number =>
  keepData && instances >= 300 && STREAMING.includes(name) ? Math.floor(instances / 10) : 0;

/**
 * A function of the service. Its role may only write its log until `allow` adds to it. Events reach the function
 * through the alias `live`. Old versions are kept, because an operator rolls back by moving the alias to one.
 */
export class HostFunction extends Construct {
  readonly function: LambdaFunction;
  readonly live: Alias;
  readonly log: LogGroup;

  constructor(
    scope: Construct,
    id: string,
    {
      environment,
      ...props
    }: Bundled & {
      readonly name: FunctionName;
      readonly environment: Readonly<Record<string, string>>;
    },
  ) {
    super(scope, id);
    const { name, stage } = props;
    const reserved = reservedFor(name, stage);
    const made = bundledFunction(this, props, {
      memorySize: memoryOf(name),
      timeout: timeoutOf(name),
      // Otherwise Lambda adds its own lines to each request, which cost more than the request's own line.
      systemLogLevelV2: SystemLogLevel.WARN,
      environment,
      ...(reserved > 0 && { reservedConcurrentExecutions: reserved }),
      // A version keeps the variables with which it was published, and the CDK publishes a new one if the template
      // changes. The template only refers to the name of the table, so the description includes that name, and a
      // changed name replaces the version. The version of a failed deployment is deleted with it, because Lambda
      // refuses to publish the same version again ("A version for this Lambda function exists").
      currentVersionOptions: {
        description: `Table ${environment['TABLE_NAME']}`,
        removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      },
    });
    this.function = made.function;
    this.log = made.log;
    this.live = new Alias(this, 'Live', { aliasName: 'live', version: this.function.currentVersion });
  }

  /** Allows the function these actions on the resource. */
  allow(actions: readonly string[], resource: string): void {
    this.function.addToRolePolicy(new PolicyStatement({ actions: [...actions], resources: [resource] }));
  }
}
