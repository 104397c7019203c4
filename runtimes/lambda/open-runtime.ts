import type { HostOptions } from '../../adapters/host/host.ts';
import { METRICS_NAMESPACE } from '../../adapters/lambda-events/deployment.ts';
import { type Host, PUBLIC_HOSTS, variableOf } from '../../ports/inbound/hosts.ts';
import { type Config, ConfigError, checkWayIn, readConfig } from '../configuration/config.ts';
import { errorFields, jsonLine, levelOf } from './json-lines.ts';

type Logging = Pick<Config, 'logLevel' | 'logAddresses'>;

type HostLogging = Pick<HostOptions, 'log' | 'fault'>;

/**
 * The metrics of a request for CloudWatch, as fields of its log line (embedded metric format): the latency by endpoint
 * and class of status, and cold starts. The number of requests is the number of latency samples.
 */
const metrics = (cold: boolean) => ({
  _aws: {
    Timestamp: Date.now(),
    CloudWatchMetrics: [
      {
        Namespace: METRICS_NAMESPACE,
        Dimensions: [['stage', 'function', 'endpoint', 'status_class']],
        Metrics: [{ Name: 'latency', Unit: 'Milliseconds' }],
      },
      ...(cold
        ? [
            {
              Namespace: METRICS_NAMESPACE,
              Dimensions: [['stage', 'function']],
              Metrics: [{ Name: 'cold_start', Unit: 'Count' }],
            },
          ]
        : []),
    ],
  },
  cold_start: cold ? 1 : 0,
});

/**
 * The fields of a line that reports a number of the stage to CloudWatch: payment events that need the shop's attention,
 * unsent messages, or `doctor` findings.
 */
export const countLine = (
  stage: string,
  name: 'sale_events' | 'unsent_mail' | 'doctor_wrong',
  count: number,
): object => {
  const metric = { Namespace: METRICS_NAMESPACE, Dimensions: [['stage']], Metrics: [{ Name: name, Unit: 'Count' }] };
  return { _aws: { Timestamp: Date.now(), CloudWatchMetrics: [metric] }, stage, [name]: count };
};

/** The fields of a request's log line, including its metrics. */
export const fieldsOf = (
  { stage, name, cold, logAddresses }: Pick<Logging, 'logAddresses'> & { stage: string; name: string; cold: boolean },
  { answered, address, ms, status, ...line }: Parameters<NonNullable<HostLogging['log']>>[0],
): object => {
  const { endpoint = 'none', ...caller } = answered ?? { accountId: null, code: null };
  const status_class = `${Math.floor(status / 100)}xx`;
  const dimensions = { stage, function: name, endpoint, status_class };
  const sender = logAddresses ? { address } : {};
  return { ...metrics(cold), ...dimensions, latency: ms, ...line, ...sender, status, ...caller };
};

/**
 * Logs JSON lines on standard output: one for each request and one for each fault. A request's line includes its
 * metrics, and so is omitted only at `silent`. No line has keys, queries or bodies, and without `logAddresses` none has
 * a client's address.
 */
export const openTelemetry = (name: string, stage: string, { logLevel, logAddresses }: Logging): HostLogging => {
  let cold = true;
  return {
    log: (request) => {
      if (logLevel !== 'silent') {
        jsonLine('info', fieldsOf({ stage, name, cold, logAddresses }, request), 'request');
      }
      cold = false;
    },
    fault: (error, id) => {
      if (levelOf(logLevel) <= levelOf('error'))
        jsonLine('error', { stage, function: name, id, err: errorFields(error) }, 'fault');
    },
  };
};

/**
 * The public address of every host. Throws ConfigError if one is missing, because a function has no port to use
 * instead.
 */
const publicUrls = ({ urls }: Pick<Config, 'urls'>): Record<Host, string> => {
  const missing = PUBLIC_HOSTS.filter((host) => urls[host] === undefined);
  if (missing.length > 0) {
    const names = missing.map((host) => `${variableOf(host)}_URL`).join(', ');
    throw new ConfigError(`${names} must be set: the public address of the host, such as https://api.example.com.`);
  }
  // No page or answer of another host names the shop host, which is deployed only with a name.
  return { ...urls, shop: urls.shop ?? urls.api } as Record<Host, string>;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** The basis of every function: its configuration, the public addresses, and its log. */
export const openRuntime = (name: string, env: Environment) => {
  const config = readConfig(env);
  checkWayIn(config);
  const options = openTelemetry(name, env['STAGE'] ?? 'dev', config);
  return { config, urls: publicUrls(config), options };
};
