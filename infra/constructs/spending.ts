import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { CfnAnomalyMonitor, CfnAnomalySubscription } from 'aws-cdk-lib/aws-ce';
import { Construct } from 'constructs';
import type { Budget } from '../options/budget.ts';
import type { Stage } from '../stage.ts';

/** The tag that every resource of the app has. The bill knows the tags of its owner as `user:`. */
const TAG = { key: 'user:service', value: 'account-service' } as const;

/** Percentages of the budget at which a mail goes out. */
const NOTICES = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'FORECASTED', threshold: 100 },
] as const;

/** The least dollars of an anomaly that a mail tells of: a tenth of the budget. */
const leastAnomaly = ({ dollars }: Budget): number => Math.max(1, dollars / 10);

/**
 * Mails when the month's budget is nearly used up, or will be, and when a day costs unusually much. Both count the
 * resources by their tag, which the operator has to activate as a cost allocation tag. The monitor is a custom one,
 * because an account may have one monitor by service alone, and has it from AWS.
 */
export class Spending extends Construct {
  constructor(scope: Construct, id: string, { stage, budget }: { readonly stage: Stage; readonly budget: Budget }) {
    super(scope, id);
    // The budget has no name, because CloudFormation replaces it when the address changes.
    new CfnBudget(this, 'Budget', {
      budget: {
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: budget.dollars, unit: 'USD' },
        costFilters: { TagKeyValue: [`${TAG.key}$${TAG.value}`] },
      },
      notificationsWithSubscribers: NOTICES.map((notice) => ({
        notification: { ...notice, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
        subscribers: [{ subscriptionType: 'EMAIL', address: budget.email }],
      })),
    });
    const monitor = new CfnAnomalyMonitor(this, 'Monitor', {
      monitorName: `account-service-${stage.name}`,
      monitorType: 'CUSTOM',
      monitorSpecification: JSON.stringify({ Tags: { Key: TAG.key, Values: [TAG.value] } }),
    });
    new CfnAnomalySubscription(this, 'Anomalies', {
      subscriptionName: `account-service-${stage.name}`,
      frequency: 'DAILY',
      monitorArnList: [monitor.attrMonitorArn],
      subscribers: [{ type: 'EMAIL', address: budget.email }],
      thresholdExpression: JSON.stringify({
        Dimensions: {
          Key: 'ANOMALY_TOTAL_IMPACT_ABSOLUTE',
          MatchOptions: ['GREATER_THAN_OR_EQUAL'],
          Values: [String(leastAnomaly(budget))],
        },
      }),
    });
  }
}
