import { Alarm, ComparisonOperator } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Stage } from '../stage.ts';
import { MISSING, type Watched } from './watched.ts';

/** An alarm. Its name is that of docs/aws.md after the stage, so that a mail leads to its row. */
export const alarmOf = (scope: Construct, { name: stage }: Stage, watched: Watched): Alarm => {
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

export type AlarmsProps = {
  readonly stage: Stage;
  readonly watched: readonly Watched[];
  /** The topic that hears of each alarm, and of its end. */
  readonly topic: ITopic;
};

/** The alarms. The description of each names the fault; docs/aws.md lists causes and remedies. */
export class Alarms extends Construct {
  readonly all: readonly Alarm[];

  constructor(scope: Construct, id: string, { stage, watched, topic }: AlarmsProps) {
    super(scope, id);
    const told = new SnsAction(topic);
    this.all = watched.map((one) => {
      const alarm = alarmOf(this, stage, one);
      alarm.addAlarmAction(told);
      alarm.addOkAction(told);
      return alarm;
    });
  }
}
