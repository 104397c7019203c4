import { METRICS_NAMESPACE } from '../../adapters/lambda-events/metrics-namespace.ts';
import { checkHealth, checkLicense, type Finding } from './probe-checks.ts';

export type ProbeSettings = {
  readonly stage: string;
  readonly apiUrl: string;
  readonly otherUrls: readonly string[];
  /** The license that is checked at the API host, which is asked for its health where there is none. */
  readonly license: { readonly product: number; readonly readKey: () => Promise<string> } | undefined;
};

export type ProbeLog = (level: 'info' | 'error', fields: object) => void;

/** The metrics of a run, as members of its log line (embedded metric format): whether all is well, and the API's time. */
const metricsOf = (ok: boolean, ms: number) => ({
  _aws: {
    Timestamp: Date.now(),
    CloudWatchMetrics: [
      {
        Namespace: METRICS_NAMESPACE,
        Dimensions: [['stage']],
        Metrics: [
          { Name: 'probe_ok', Unit: 'Count' },
          { Name: 'probe_ms', Unit: 'Milliseconds' },
        ],
      },
    ],
  },
  probe_ok: ok ? 1 : 0,
  probe_ms: ms,
});

/**
 * A function that checks every host once and logs one line, which has the metrics and what was found at each address.
 * It keeps the key while it is let in, and reads it anew after a failure, so that a key may be changed at any time.
 */
export const probing = ({ stage, apiUrl, otherUrls, license }: ProbeSettings, log: ProbeLog): (() => Promise<void>) => {
  let key: Promise<string> | undefined;
  const atApi = async (): Promise<Finding> => {
    if (!license) return checkHealth(apiUrl);
    key ??= license.readKey();
    try {
      const value = (await key).trim();
      const finding = await checkLicense(apiUrl, { product: license.product, key: value });
      if (!finding.ok) key = undefined;
      return finding;
    } catch (error) {
      key = undefined;
      return { url: apiUrl, ok: false, ms: 0, reason: error instanceof Error ? error.message : 'no key' };
    }
  };
  return async () => {
    const [api, ...others] = await Promise.all([atApi(), ...otherUrls.map(checkHealth)]);
    const findings = [api, ...others];
    const ok = findings.every((finding) => finding.ok);
    log(ok ? 'info' : 'error', { ...metricsOf(ok, api.ms), stage, function: 'probe', findings });
  };
};
