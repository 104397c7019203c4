import { Annotations, CfnOutput, CrossStackReferences, ReferenceStrength, Stack, type StackProps } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { Alarms } from '../constructs/alarms.ts';
import { addOverview } from '../constructs/overview.ts';
import { Probe } from '../constructs/probe.ts';
import { Spending } from '../constructs/spending.ts';
import { watchedOf } from '../constructs/watched.ts';
import type { Stage } from '../stage.ts';
import { tableInUse } from '../table-in-use.ts';
import type { ServiceStack } from './service-stack.ts';

export type OperationsStackProps = StackProps & {
  readonly stage: Stage;
  readonly service: ServiceStack;
  /** The folder of the built bundles. */
  readonly bundles: string;
};

const UNHEARD =
  'No -c alarmEmail is set: the alarms go to the topic of the output AlarmTopicArn, and nobody hears them until somebody subscribes to it.';

/**
 * Holds the alarms, the topic that they are sent to, the probe, and a dashboard. It reads outputs of the service stack
 * and imports none of its exports: an import would keep the service stack from losing what a setting takes away, such
 * as the address of an API that gets a name of its own.
 */
export class OperationsStack extends Stack {
  constructor(scope: Construct, id: string, { stage, service, bundles, ...props }: OperationsStackProps) {
    super(scope, id, props);
    CrossStackReferences.of(this).consume(ReferenceStrength.BOTH);
    const topic = new Topic(this, 'Alarmed', { enforceSSL: true });
    if (stage.alarmEmail === undefined) Annotations.of(this).addWarningV2('account-service:unheard-alarms', UNHEARD);
    else topic.addSubscription(new EmailSubscription(stage.alarmEmail));
    const probe = stage.probe.on ? new Probe(this, 'Probe', { stage, service, bundles }) : undefined;
    const table = tableInUse(this, stage);
    const watched = [...(probe ? [probe.watched] : []), ...watchedOf(service, table)];
    const alarms = new Alarms(this, 'Alarms', { stage, watched, topic });
    if (stage.budget) new Spending(this, 'Spending', { stage, budget: stage.budget });
    addOverview(this, { stage, service, table, probe, alarms });
    const outputs = {
      AlarmTopicArn: topic.topicArn,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}
