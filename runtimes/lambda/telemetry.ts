import type { AppOptions } from '../../adapters/http/app.ts';
import type { Config } from '../composition/config.ts';
import { jsonLine, levelOf, told } from './json-lines.ts';

export const METRICS_NAMESPACE = 'AccountService';

type Told = Pick<AppOptions, 'log' | 'fault'>;

/**
 * Tells CloudWatch of a request by the line that logs it (embedded metric format): how long it took by endpoint and
 * class of status, how many there were by the number of those samples, and which were the first of a new instance.
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
 * JSON lines on standard output: one for each request, which is its metrics too and so is left out at `silent` only,
 * and one for each fault. Neither keys nor queries nor bodies ever get here.
 */
export const openTelemetry = (name: string, stage: string, level: Config['logLevel']): Told => {
  let cold = true;
  return {
    log: ({ answered, ms, status, ...line }) => {
      const { endpoint = 'none', accountId = null, code = null } = answered ?? {};
      const status_class = `${Math.floor(status / 100)}xx`;
      const dimensions = { stage, function: name, endpoint, status_class };
      if (level !== 'silent') {
        jsonLine('info', { ...metrics(cold), ...dimensions, latency: ms, ...line, status, accountId, code }, 'request');
      }
      cold = false;
    },
    fault: (error, id) => {
      if (levelOf(level) <= levelOf('error'))
        jsonLine('error', { stage, function: name, id, err: told(error) }, 'fault');
    },
  };
};
