import { Validations } from 'aws-cdk-lib';
import { CfnStage } from 'aws-cdk-lib/aws-apigateway';
import type { IConstruct } from 'constructs';

/** Has the REST APIs below a construct decide which requests are traced, and tell X-Ray their own part of these. */
export const traceGateways = (scope: IConstruct): void => {
  for (const one of scope.node.findAll()) if (one instanceof CfnStage) one.tracingEnabled = true;
};

/** Explains the right of traced functions to write traces. */
export const explainTraces = (traced: IConstruct): void =>
  Validations.of(traced).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason:
      'X-Ray has no resource to name: xray:PutTraceSegments and xray:PutTelemetryRecords take every resource alone.',
  });
