import { Alarm, ComparisonOperator } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Stage } from '../stage.ts';
import { MISSING, type WatchedMetric } from './watched.ts';

/** An alarm. Its name is that of docs/aws.md after the stage, so that a mail leads to its row with causes and remedies. */
export const alarmOf = (scope: Construct, { name: stage }: Stage, watched: WatchedMetric): Alarm => {
  const { id, what, metric, bound, of: [times, periods] = [1, 1], missing } = watched;
  const [threshold, comparisonOperator] =
    'over' in bound
      ? [bound.over, ComparisonOperator.GREATER_THAN_THRESHOLD]
      : [bound.under, ComparisonOperator.LESS_THAN_THRESHOLD];
  return new Alarm(scope, id, {
    alarmName: `account-service-${stage}-${id}`,
    alarmDescription: what,
    metric,
    threshold,
    comparisonOperator,
    datapointsToAlarm: times,
    evaluationPeriods: periods,
    treatMissingData: MISSING[missing],
  });
};

/** An alarm that tells the topic when it begins and when it ends. */
export const toldAlarm = (scope: Construct, stage: Stage, watched: WatchedMetric, topic: ITopic): Alarm => {
  const alarm = alarmOf(scope, stage, watched);
  alarm.addAlarmAction(new SnsAction(topic));
  alarm.addOkAction(new SnsAction(topic));
  return alarm;
};
