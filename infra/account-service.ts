import { App, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { BUNDLES } from './bundles/functions.ts';
import { BackupStack } from './stacks/backup-stack.ts';
import { ContainerStack } from './stacks/container-stack.ts';
import { DataStack } from './stacks/data-stack.ts';
import { OperationsStack } from './stacks/operations-stack.ts';
import { PipelineStack } from './stacks/pipeline-stack.ts';
import { ServiceStack } from './stacks/service-stack.ts';
import type { Stage } from './stage.ts';

/** The stacks of a stage; the last three exist only if its settings ask for them. */
export type Stacks = {
  readonly data: DataStack;
  readonly service: ServiceStack;
  readonly operations: OperationsStack;
  readonly backup: BackupStack | undefined;
  readonly container: ContainerStack | undefined;
  readonly pipeline: PipelineStack | undefined;
};

/** Newer behavior of CDK that is off by default. */
const FLAGS = {
  '@aws-cdk/aws-s3:serverAccessLogsUseBucketPolicy': true,
  '@aws-cdk/aws-iam:minimizePolicies': true,
  '@aws-cdk/core:checkSecretUsage': true,
  // A stack can't remove a value that another stack uses.
  '@aws-cdk/core:defaultCrossStackReferences': 'strong',
};

/** An app. Its synthesis fails on each finding of cdk-nag that no acknowledgement explains. */
export const checkedApp = (context: Readonly<Record<string, string>> = {}): App => {
  const app = new App({ context: { ...FLAGS, ...context } });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app, { verbose: true }));
  return app;
};

/**
 * Adds the stacks of a stage. The data has its own stack, so that the rest can be rolled back, or removed and set up
 * again, without touching the data.
 */
export const addStacks = (app: App, stage: Stage, bundles: string = BUNDLES): Stacks => {
  const named = (part: string): string => `account-service-${stage.name}-${part}`;
  Tags.of(app).add('service', 'account-service');
  Tags.of(app).add('stage', stage.name);
  const data = new DataStack(app, named('data'), stage);
  const service = new ServiceStack(app, named('service'), { stage, data, bundles });
  const container =
    stage.container &&
    new ContainerStack(app, named('container'), { stage, data, service, container: stage.container });
  const backup = stage.backup && new BackupStack(app, named('backup'), { stage, data, backup: stage.backup });
  const operations = new OperationsStack(app, named('operations'), { stage, service, container, backup, bundles });
  const pipeline = stage.pipeline && new PipelineStack(app, named('pipeline'), stage, stage.pipeline);
  return { data, service, operations, backup, container, pipeline };
};
