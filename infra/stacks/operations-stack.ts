import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { Alarms } from '../constructs/alarms.ts';
import { addOverview } from '../constructs/overview.ts';
import type { Stage } from '../stage.ts';
import type { ServiceStack } from './service-stack.ts';

export type OperationsStackProps = StackProps & {
  readonly stage: Stage;
  readonly service: ServiceStack;
};

/** Holds the alarms, the topic that they are sent to, and a dashboard. */
export class OperationsStack extends Stack {
  constructor(scope: Construct, id: string, { stage, service, ...props }: OperationsStackProps) {
    super(scope, id, props);
    const topic = new Topic(this, 'Alarmed', { enforceSSL: true });
    if (stage.alarmEmail !== undefined) topic.addSubscription(new EmailSubscription(stage.alarmEmail));
    const alarms = new Alarms(this, 'Alarms', service, topic);
    addOverview(this, stage, service, alarms);
    new CfnOutput(this, 'AlarmTopicArn', { value: topic.topicArn });
  }
}
