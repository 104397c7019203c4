import type { App } from 'aws-cdk-lib';
import { Context } from './context.ts';
import { type BackupOption, backupOf } from './options/backup.ts';
import { type Budget, budgetOf } from './options/budget.ts';
import { type CloudFront, cloudFrontOf } from './options/cloud-front.ts';
import { type Concurrency, concurrencyOf } from './options/concurrency.ts';
import { type ContainerOption, containerOf } from './options/container.ts';
import { type Deployment, deploymentOf } from './options/deployment.ts';
import { type Domains, domainsOf } from './options/domains.ts';
import { type GatewayKind, gatewayOf } from './options/gateway.ts';
import { limitsOf } from './options/limits.ts';
import { type PipelineOption, pipelineOf } from './options/pipeline.ts';
import { type ProbeOption, probeOf } from './options/probe.ts';
import { type Provisioned, provisionedOf } from './options/provisioned.ts';
import { type Throttle, throttleOf } from './options/throttle.ts';
import { type TracingOption, tracingOf } from './options/tracing.ts';
import { type Waf, wafOf } from './options/waf.ts';
import { type WarmThroughput, warmThroughputOf } from './options/warm-throughput.ts';
import { TABLE_IN_USE } from './table-in-use.ts';

/** An OpenID Connect provider. The secret holds the client's secret, as it is. */
export type Upstream = {
  readonly issuer: string;
  readonly clientId: string;
  readonly name: string;
  readonly secretArn: string;
};

/** The settings that differ from stage to stage. */
export type Stage = {
  readonly name: 'dev' | 'prod';
  /** True where the data outlives its stack and can't be deleted by mistake. */
  readonly keepData: boolean;
  readonly logDays: 14 | 90;
  readonly throttle: Throttle;
  readonly concurrency: Concurrency;
  readonly waf: Waf | undefined;
  readonly gateway: GatewayKind;
  /** The hosts' own names. The account host and the legacy host exist only with a name. */
  readonly domains: Domains;
  /** Settings of the service that every function has, as docs/running.md lists them. */
  readonly settings: Readonly<Record<string, string>>;
  /** The address that alarms are mailed to. */
  readonly alarmEmail: string | undefined;
  /** The OpenID Connect provider that the shop's customers sign in with. */
  readonly upstream: Upstream | undefined;
  readonly backup: BackupOption | undefined;
  readonly container: ContainerOption | undefined;
  /** True where a key of the operator's own encrypts the data. */
  readonly customerKeys: boolean;
  readonly pipeline: PipelineOption | undefined;
  readonly warmThroughput: WarmThroughput | undefined;
  /** CloudFront in front of the hosts with names of their own. */
  readonly cloudFront: CloudFront | undefined;
  readonly probe: ProbeOption;
  readonly deployment: Deployment;
  readonly provisioned: Provisioned;
  readonly tracing: TracingOption;
  readonly budget: Budget | undefined;
};

const DEFAULTS = {
  dev: { keepData: false, logDays: 14 },
  prod: { keepData: true, logDays: 90 },
} as const;

const upstreamOf = (context: Context): Upstream | undefined => {
  const given = context.together(['upstreamIssuer', 'upstreamClientId', 'upstreamName', 'upstreamSecretArn']);
  return (
    given && {
      issuer: given.upstreamIssuer,
      clientId: given.upstreamClientId,
      name: given.upstreamName,
      secretArn: given.upstreamSecretArn,
    }
  );
};

/** The settings that the context may name, and their variables. The functions check the values when they start. */
const SETTINGS = {
  corsOrigins: 'CORS_ORIGINS',
  logAddresses: 'LOG_ADDRESSES',
} as const;

const settingsOf = (context: Context): Record<string, string> =>
  Object.fromEntries(
    Object.entries(SETTINGS).flatMap(([name, variable]) => {
      const value = context.text(name);
      return value === undefined ? [] : [[variable, value]];
    }),
  );

/** How a table takes the place of the stack's own, for who gives the setting of before. */
const NAME_THE_TABLE = `name the table by --parameters account-service-STAGE-data:${TABLE_IN_USE}=NAME, which the data stack remembers (docs/aws.md)`;

/** The stage that the context names (`-c stage=prod`); `dev` is the default. Throws one sentence for a wrong value. */
export const stageOf = (app: App): Stage => {
  const context = new Context(app);
  const name = context.oneOf('stage', ['dev', 'prod'], 'dev');
  const domains = domainsOf(context);
  const waf = wafOf(context);
  const deployment = deploymentOf(context);
  const concurrency = concurrencyOf(context, name);
  const cloudFront = cloudFrontOf(context, domains);
  const stage: Stage = {
    name,
    ...DEFAULTS[name],
    throttle: throttleOf(context, name),
    concurrency,
    waf,
    gateway: gatewayOf(context, { domains, waf, cloudFront }),
    domains,
    settings: { ...settingsOf(context), ...limitsOf(context) },
    alarmEmail: context.text('alarmEmail'),
    upstream: upstreamOf(context),
    backup: backupOf(context),
    container: containerOf(context),
    customerKeys: context.flag('customerKeys'),
    pipeline: pipelineOf(context),
    warmThroughput: warmThroughputOf(context),
    probe: probeOf(context),
    deployment,
    provisioned: provisionedOf(context, { deployment, concurrency }),
    tracing: tracingOf(context),
    budget: budgetOf(context),
    cloudFront,
  };
  context.refuse('restoredTable', NAME_THE_TABLE);
  context.refuseOthers();
  return stage;
};
