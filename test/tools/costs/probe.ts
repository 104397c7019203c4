import { logBytes } from './log-bytes.ts';
import { prices } from './prices.ts';
import sizes from './stack.json' with { type: 'json' };

/** The minutes of a month of 730 hours: the calls of the probe. */
const CALLS = 730 * 60;

/** Assumed: the probe waits a tenth of a second for its answers, with 128 MB, and writes a line of 900 bytes. */
const PROBE = { seconds: 0.1, gigabytes: 0.125, line_bytes: 900 };

/** Assumed: two round trips to the table, as a license check has; a health check has fewer. */
const REQUEST_SECONDS = (prices.assumed.own_ms + 2 * prices.assumed.round_trip_ms) / 1000;

/** The list price of a run of a canary of CloudWatch Synthetics: https://aws.amazon.com/cloudwatch/pricing/ */
const SYNTHETICS_RUN = 0.0012;

/** The cost of a month of the probe, in dollars, by the number of hosts that it asks. */
export const probeMonth = (hosts: number): number => {
  const { lambda, api_gateway, cloudwatch, dynamodb } = prices;
  const { memory_mb } = sizes;
  const log = (bytes: number): number => ((bytes + cloudwatch.bytes_per_event) / 1e9) * cloudwatch.log_gigabyte;
  const request =
    (api_gateway.million_requests.rest + lambda.million_requests + dynamodb.million_read_units) / 1e6 +
    REQUEST_SECONDS * (memory_mb.api / 1024) * lambda.gigabyte_second +
    log(logBytes('checkLicense', 'api'));
  const call =
    lambda.million_requests / 1e6 + PROBE.seconds * PROBE.gigabytes * lambda.gigabyte_second + log(PROBE.line_bytes);
  return CALLS * (call + hosts * request) + 2 * cloudwatch.metric_month + cloudwatch.alarm_metric_month;
};

/** The cost of the license checks of a month beyond health checks: their units, and the secret of the key. */
export const licenseProbeMonth = (readUnits: number, writeUnits: number): number =>
  (CALLS * (readUnits * prices.dynamodb.million_read_units + writeUnits * prices.dynamodb.million_write_units)) / 1e6 +
  prices.secrets_manager.secret_month;

/** The cost of a canary of CloudWatch Synthetics for one check a minute, without its own function. */
export const syntheticsMonth = (): number => CALLS * SYNTHETICS_RUN;
