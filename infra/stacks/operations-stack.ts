import { Annotations, CfnOutput, CrossStackReferences, ReferenceStrength, Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { addOverview } from '../constructs/overview.ts';
import { Probe } from '../constructs/probe.ts';
import { toldAlarm, watchedOf } from '../constructs/watched.ts';
import { tableInUse } from '../in-use.ts';
import type { Stage } from '../stage.ts';
import type { BackupStack } from './backup-stack.ts';
import type { ContainerStack } from './container-stack.ts';
import type { ServiceStack } from './service-stack.ts';

type Watched = {
  readonly stage: Stage;
  readonly service: ServiceStack;
  readonly container: ContainerStack | undefined;
  readonly backup: BackupStack | undefined;
  /** The folder of the built bundles. */
  readonly bundles: string;
};

const UNHEARD =
  'The stage has no "alarmEmail": the alarms go to the topic of the output AlarmTopicArn, and nobody hears them until somebody subscribes to it.';

/**
 * Holds the alarms, their topic, the probe, and a dashboard. It reads outputs of the service stack and imports none of
 * its exports: an import would keep the service stack from removing a resource that a setting makes unnecessary, such
 * as the address of an API that gets its own name.
 */
export class OperationsStack extends Stack {
  constructor(scope: Construct, id: string, { stage, service, container, backup, bundles }: Watched) {
    super(scope, id);
    CrossStackReferences.of(this).consume(ReferenceStrength.BOTH);
    const topic = new Topic(this, 'Alarmed', { enforceSSL: true });
    // The policy that requires TLS replaces the default one of SNS, which lets the account's services publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AlarmsOfThisAccount',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': this.account } },
      }),
    );
    if (stage.alarmEmail === undefined) Annotations.of(this).addWarningV2('account-service:unheard-alarms', UNHEARD);
    else topic.addSubscription(new EmailSubscription(stage.alarmEmail));
    const probe = new Probe(this, 'Probe', { stage, service, bundles });
    const table = tableInUse(this, stage);
    const options = [container, backup].flatMap((stack) => stack?.watched ?? []);
    const watched = [probe.watched, ...watchedOf(stage, service, table), ...options];
    const within = new Construct(this, 'Alarms');
    const alarms = watched.map((one) => toldAlarm(within, stage, one, topic));
    const { alarmEmail, monthlyBudget } = stage;
    if (alarmEmail !== undefined && monthlyBudget !== undefined) this.#budget(monthlyBudget, alarmEmail);
    addOverview(this, { stage, service, table, probe, alarms });
    new CfnOutput(this, 'AlarmTopicArn', { value: topic.topicArn });
  }

  /** Mails about the costs of resources with the app's tag, which the operator activates as a cost allocation tag. */
  #budget(amount: number, address: string): void {
    const notice = (notificationType: string, threshold: number) => ({
      notification: { notificationType, threshold, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
      subscribers: [{ subscriptionType: 'EMAIL', address }],
    });
    // The budget has no name, because CloudFormation replaces it when the address changes.
    new CfnBudget(this, 'Budget', {
      budget: {
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount, unit: 'USD' },
        costFilters: { TagKeyValue: ['user:service$account-service'] },
      },
      notificationsWithSubscribers: [notice('ACTUAL', 80), notice('FORECASTED', 100)],
    });
  }
}
