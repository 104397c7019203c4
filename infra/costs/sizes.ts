import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import { FUNCTIONS } from '../bundles/functions.ts';
import { memoryOf } from '../bundles/memory.ts';
import { gatewaysOf } from '../gateways.ts';
import type { GatewayKind } from '../options/gateway.ts';
import { DEPLOYED, functionOf } from '../routes.ts';
import { type Properties, resourcesOf, type Synthesized } from '../test/synthesized.ts';

/** The things that cost something while nobody calls, by their number. */
export type AtRest = {
  /** Metrics that alarms watch: an alarm on a formula pays for each of its metrics. */
  readonly alarm_metrics: number;
  readonly secrets: number;
  readonly dashboards: number;
  /** Starts of functions by schedules in a month of 730 hours. */
  readonly scheduled_starts: number;
};

/** The sizes that a bill depends on beside the requests themselves, read from the synthesized stacks. */
export type StackSizes = {
  /** The function of each endpoint that is deployed without a name of its own. */
  readonly functions: Readonly<Record<string, string>>;
  /** The gateway of each of these endpoints. */
  readonly gateways: Readonly<Record<string, GatewayKind>>;
  /** Megabytes of each function. */
  readonly memory_mb: Readonly<Record<string, number>>;
  /** Bytes of the gateway's own line of a request. */
  readonly access_log_bytes: number;
  readonly at_rest: AtRest;
};

/** Texts as long as usual ones, in the place of the gateway's variables. */
const USUAL: Readonly<Record<string, string>> = {
  requestId: '6f2f8a0e-6d0b-4d2c-8f0e-2f6f6a1b9c11',
  requestTime: '22/Nov/2026:20:15:02 +0000',
  sourceIp: '203.0.113.180',
  httpMethod: 'POST',
  path: '/api/license/check',
  resourcePath: '/api/license/check',
  routeKey: 'ANY /{proxy+}',
  status: '200',
  responseLength: '1180',
  responseLatency: '24',
  integrationLatency: '21',
  message: '-',
  integrationErrorMessage: '-',
};

const usual = (_: string, variable: string): string => {
  const found = USUAL[variable.split('.').at(-1) ?? ''];
  if (found === undefined) throw new Error(`The access log has $context.${variable}; give it a usual text.`);
  return found;
};

const accessLogBytes = (stages: readonly Properties[]): number =>
  Math.max(
    ...stages.map(
      ({ AccessLogSetting, AccessLogSettings }) =>
        (AccessLogSetting ?? AccessLogSettings).Format.replace(/\$context\.([\w.]+)/g, usual).length + 1,
    ),
  );

const HOURS = 730;
const MINUTES: Readonly<Record<string, number>> = { minute: 1, minutes: 1, hour: 60, hours: 60 };

/** The starts in a month of a schedule such as `rate(5 minutes)`. */
const startsOf = (schedule: string): number => {
  const [, count, unit = ''] = /^rate\((\d+) (\w+)\)$/.exec(schedule) ?? [];
  const minutes = MINUTES[unit];
  if (minutes === undefined) throw new Error(`${schedule} is no schedule by a rate.`);
  return Math.round((HOURS * 60) / (Number(count) * minutes));
};

const metricsOf = ({ MetricName, Metrics }: Properties): number =>
  MetricName ? 1 : (Metrics as Properties[]).filter(({ MetricStat }) => MetricStat).length;

const deployed = allEndpoints.filter(({ host }) => (DEPLOYED as readonly Host[]).includes(host));

/** A path with a mapping of its own is the REST API's, where there is an HTTP API too. */
const gatewayOf = ({ host, path }: EndpointSpec, kind: GatewayKind): GatewayKind => {
  const gateways = gatewaysOf(host, kind);
  if (!gateways.some((one) => one.kind === 'http')) return 'rest';
  const isApart = gateways.some((one) => one.kind === 'rest' && path.startsWith(`/${one.under}/`));
  return isApart ? 'rest' : 'http';
};

/** The sizes of stacks that were synthesized with this gateway. */
export const sizesOf = ({ templates }: Synthesized, gateway: GatewayKind): StackSizes => {
  const all = (type: string): Properties[] =>
    [templates.data, templates.service, templates.operations].flatMap((template) =>
      resourcesOf(template, type).map(([, properties]) => properties),
    );
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
  return {
    functions: Object.fromEntries(deployed.map((endpoint) => [endpoint.id, functionOf(endpoint)])),
    gateways: Object.fromEntries(deployed.map((endpoint) => [endpoint.id, gatewayOf(endpoint, gateway)])),
    memory_mb: Object.fromEntries(FUNCTIONS.map((name) => [name, memoryOf(name)])),
    access_log_bytes: accessLogBytes([...all('AWS::ApiGateway::Stage'), ...all('AWS::ApiGatewayV2::Stage')]),
    at_rest: {
      alarm_metrics: sum(all('AWS::CloudWatch::Alarm').map(metricsOf)),
      secrets: all('AWS::SecretsManager::Secret').length,
      dashboards: all('AWS::CloudWatch::Dashboard').length,
      scheduled_starts: sum(all('AWS::Events::Rule').map(({ ScheduleExpression }) => startsOf(ScheduleExpression))),
    },
  };
};
