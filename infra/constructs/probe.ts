import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { METRICS_NAMESPACE } from '../../adapters/lambda-events/deployment.ts';
import type { ServiceStack } from '../stacks/service-stack.ts';
import type { Stage } from '../stage.ts';
import { bundledFunction } from './host-function.ts';
import type { WatchedMetric } from './watched.ts';

const EVERY = Duration.minutes(1);

/**
 * Calls the public addresses of the hosts every minute, as a client does: this covers name, certificate, gateway,
 * function and table. It is our own function, because each run of a CloudWatch Synthetics canary costs money. Its role
 * may write its own log, and read the key with which it checks a license.
 */
export class Probe extends Construct {
  readonly function: LambdaFunction;
  readonly ok: Metric;
  readonly ms: Metric;

  constructor(
    scope: Construct,
    id: string,
    { stage, service, bundles }: { readonly stage: Stage; readonly service: ServiceStack; readonly bundles: string },
  ) {
    super(scope, id);
    const { probe } = stage;
    const { api, ...others } = service.apis;
    const made = bundledFunction(
      this,
      { name: 'probe', stage, bundles },
      {
        memorySize: 128,
        // Each request times out after 10 s; a starting instance first reads the key.
        timeout: Duration.seconds(25),
        // The next minute makes up for a failed call; Lambda itself would retry it twice, hours later.
        retryAttempts: 0,
        maxEventAge: EVERY,
        environment: {
          PROBE_API_URL: api.url,
          PROBE_OTHER_URLS: Object.values(others)
            .map(({ url }) => url)
            .join(' '),
          ...(probe && { PROBE_PRODUCT: String(probe.product), PROBE_KEY_SECRET_ARN: probe.keySecretArn }),
        },
      },
    );
    this.function = made.function;
    if (probe) {
      const actions = ['secretsmanager:GetSecretValue'];
      this.function.addToRolePolicy(new PolicyStatement({ actions, resources: [probe.keySecretArn] }));
    }
    new Rule(this, 'EveryMinute', {
      description: 'Calls the hosts as a client does.',
      schedule: Schedule.rate(EVERY),
      targets: [new LambdaTarget(this.function)],
    });
    const own = { namespace: METRICS_NAMESPACE, dimensionsMap: { stage: stage.name }, period: EVERY };
    this.ok = new Metric({ ...own, metricName: 'probe_ok', statistic: 'Minimum' });
    this.ms = new Metric({ ...own, metricName: 'probe_ms', statistic: 'Maximum' });
  }

  /** A probe that fails or is silent for three of five minutes. */
  get watched(): WatchedMetric {
    return {
      id: 'probe',
      what: 'The service doesn’t answer at its public addresses',
      metric: this.ok,
      bound: { under: 1 },
      of: [3, 5],
      missing: 'always',
    };
  }
}
