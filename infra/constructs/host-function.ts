import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, Architecture, Code, Function as LambdaFunction, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { bundleOf, type FunctionName } from '../bundles/functions.ts';
import { BACKGROUND, STREAMING } from '../routes.ts';
import type { Stage } from '../stage.ts';

export type HostFunctionProps = {
  readonly name: FunctionName;
  readonly stage: Stage;
  readonly bundles: string;
  readonly environment: Readonly<Record<string, string>>;
};

/** A function gives up before the gateway does. A stream and work in the background may take as long as Lambda allows. */
export const timeoutOf = (name: FunctionName): Duration =>
  STREAMING.includes(name) || BACKGROUND.includes(name) ? Duration.minutes(15) : Duration.seconds(20);

/** Megabytes. Pages and images of strangers are read in a thread that may take 256 MB beside the function itself. */
const memoryOf = (name: FunctionName): number => (BACKGROUND.includes(name) ? 2048 : 1024);

/**
 * A function from its bundle. Its role may write its own log, and nothing else until `allow` adds to it. Events reach
 * the function by the alias `live`. To roll back, an operator moves the alias to an earlier version; so these are kept.
 */
export class HostFunction extends Construct {
  readonly function: LambdaFunction;
  readonly live: Alias;
  readonly log: LogGroup;

  constructor(scope: Construct, id: string, { name, stage, bundles, environment }: HostFunctionProps) {
    super(scope, id);
    this.log = new LogGroup(this, 'Log', { retention: stage.logDays, removalPolicy: RemovalPolicy.DESTROY });
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.log.grantWrite(role);
    this.function = new LambdaFunction(this, 'Function', {
      description: `Account service, ${name} (${stage.name})`,
      // The maps are not uploaded, because an instance would read them at its start.
      code: Code.fromAsset(bundleOf(name, bundles), { exclude: ['*.map'] }),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: memoryOf(name),
      timeout: timeoutOf(name),
      role,
      logGroup: this.log,
      loggingFormat: LoggingFormat.JSON,
      environment: { ...environment, STAGE: stage.name },
      ...(stage.reservedConcurrency === undefined ? {} : { reservedConcurrentExecutions: stage.reservedConcurrency }),
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
    });
    this.live = new Alias(this, 'Live', { aliasName: 'live', version: this.function.currentVersion });
  }

  /** Allows the function these actions on the resource. */
  allow(actions: readonly string[], resource: string): void {
    this.function.addToRolePolicy(new PolicyStatement({ actions: [...actions], resources: [resource] }));
  }
}
