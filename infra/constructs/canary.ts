import { Duration, Validations } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { FUNCTIONS, type FunctionName } from '../bundles/functions.ts';
import { BACKGROUND, routesOf } from '../routes.ts';
import type { Stage } from '../stage.ts';
import type { HostApi } from './host-api.ts';
import type { HostFunction } from './host-function.ts';
import { alarmOf, failedPercent, type WatchedMetric } from './watched.ts';

export type CanaryProps = {
  readonly stage: Stage;
  readonly functions: Readonly<Record<FunctionName, HostFunction>>;
  readonly hosts: readonly HostApi[];
};

const POLICY = 'service-role/AWSCodeDeployRoleForLambdaLimited';

const every = Duration.minutes(1);

/** A release is watched more closely than everyday traffic: below 60 requests a minute, one failure is enough. */
const ANY_OF_FEW = 'failed > 2 OR asked < 60';

const watchedFunction = (name: FunctionName, { live }: HostFunction): WatchedMetric => ({
  id: `${name}-release-errors`,
  what: 'The function fails while a release takes over',
  metric: live.metricErrors({ period: every, statistic: 'Sum' }),
  bound: { over: 0 },
});

const watchedHost = ({ host, api }: HostApi): WatchedMetric => ({
  id: `${host}-release-answers`,
  what: 'More than 1 % of the requests fail while a release takes over',
  metric: failedPercent(api, every, ANY_OF_FEW),
  bound: { over: 1 },
});

/**
 * Releases each function that serves requests by CodeDeploy: a tenth of the calls goes to the new version for five
 * minutes, then all. An alarm moves all of them back and fails the deployment of the stack, which undoes the rest of
 * it. The alarms are in the stack of the functions, because the stack with the others is deployed after this one. The
 * APIs are watched too, because the functions answer most faults with a 5xx status instead of failing.
 */
export class Canary extends Construct {
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, { stage, functions, hosts }: CanaryProps) {
    super(scope, id);
    const application = new LambdaApplication(this, 'Application');
    const answers = hosts.map((one) => ({ host: one.host, alarm: alarmOf(this, stage, watchedHost(one)) }));
    const role = this.#role();
    const errors = FUNCTIONS.filter((name) => !BACKGROUND.includes(name)).map((name) => {
      const alarm = alarmOf(this, stage, watchedFunction(name, functions[name]));
      const served = answers.filter(({ host }) => routesOf(host).some(({ to }) => to === name));
      new LambdaDeploymentGroup(this, name, {
        application,
        role: role.withoutPolicyUpdates(),
        alias: functions[name].live,
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
        alarms: [alarm, ...served.map((one) => one.alarm)],
        autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
      });
      return alarm;
    });
    this.alarms = [...errors, ...answers.map(({ alarm }) => alarm)];
  }

  /** The role with which CodeDeploy moves the aliases. */
  #role(): Role {
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(POLICY)],
    });
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${POLICY}]`,
      reason: 'CodeDeploy documents this policy for releases of functions, and AWS keeps it up to date.',
    });
    return role;
  }
}
