import { type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { METRICS_NAMESPACE } from '../../adapters/lambda-events/deployment.ts';

/** The timeout of a request, in milliseconds, from the name look-up to the complete response. */
export const GIVES_UP_MS = 10_000;

/** The maximum number of bytes read from a response. The responses to a probe are far shorter. */
const MOST_BYTES = 64 * 1024;

export type ProbeRequest = {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type Answer = { readonly status: number; readonly text: string };

const textOf = async (response: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MOST_BYTES) throw Object.assign(new Error('The answer is too large.'), { code: 'ANSWER_TOO_LARGE' });
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
};

/**
 * Makes a request on its own connection, so that the name and the certificate are checked each time, and follows no
 * redirect. Rejects with an error with a `code` if no complete response arrives in time.
 */
export const boundedRequest = async (
  { method, url, headers, body }: ProbeRequest,
  givesUpMs = GIVES_UP_MS,
): Promise<Answer> => {
  const signal = AbortSignal.timeout(givesUpMs);
  const send = url.startsWith('https:') ? overHttps : overHttp;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = send(url, { method, agent: false, signal, headers: { ...headers } });
    sent.on('response', resolve);
    sent.on('error', reject);
    sent.end(body);
  });
  try {
    return { status: response.statusCode ?? 0, text: await textOf(response) };
  } finally {
    response.destroy();
  }
};

/** The finding of a check. The reason has no value from a request or a response, so that no key is logged. */
export type Finding = {
  readonly url: string;
  readonly ok: boolean;
  readonly ms: number;
  /** The status of the response; undefined if there was none. */
  readonly status?: number;
  /** The reason of a failure. */
  readonly reason?: string;
};

export type License = { readonly product: number; readonly key: string };

/** The device that takes the only slot of the probe's account. */
export const PROBE_DEVICE = 'synthetic-probe';

/** The code of an error, or its name. Its message may quote a header. */
const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
};

const found = async (request: ProbeRequest, fault: (answer: Answer) => string | undefined): Promise<Finding> => {
  const { url } = request;
  const began = performance.now();
  const ms = (): number => Math.round(performance.now() - began);
  try {
    const answer = await boundedRequest(request);
    const reason = fault(answer);
    return { url, ok: reason === undefined, ms: ms(), status: answer.status, ...(reason !== undefined && { reason }) };
  } catch (error) {
    return { url, ok: false, ms: ms(), reason: codeOf(error) };
  }
};

/** Checks the health of a host: that its function runs and reaches the table. */
export const checkHealth = (url: string): Promise<Finding> =>
  found({ method: 'GET', url: `${url}/healthz` }, ({ status }) => (status === 200 ? undefined : 'status'));

const membersOf = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
};

/**
 * The fault in the response to a license check: its status, invalid JSON, a license that is not valid, or a missing
 * token.
 */
const faultOfLicense = ({ status, text }: Answer): string | undefined => {
  if (status !== 200) return 'status';
  const members = membersOf(text);
  if (!members) return 'no JSON';
  if (members['valid'] !== true) return 'not valid';
  return typeof members['token'] === 'string' && members['token'] !== '' ? undefined : 'no token';
};

/** Checks a license as an application does. The token must be present; verifying its signature is left to clients. */
export const checkLicense = (url: string, { product, key }: License): Promise<Finding> =>
  found(
    {
      method: 'POST',
      url: `${url}/api/license/check`,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ product_id: product, device_id: PROBE_DEVICE }),
    },
    faultOfLicense,
  );

export type ProbeSettings = {
  readonly stage: string;
  readonly apiUrl: string;
  readonly otherUrls: readonly string[];
  /** The license to check at the API host. Without it, only the host's health is checked. */
  readonly license: { readonly product: number; readonly readKey: () => Promise<string> } | undefined;
};

export type ProbeLog = (level: 'info' | 'error', fields: object) => void;

/**
 * The metrics of a run, as fields of its log line (embedded metric format): whether all checks passed, and the API's
 * latency.
 */
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
 * Returns a function that checks every host once and logs one line with the metrics and the finding for each address.
 * It caches the key until a check fails, so that the key may be changed at any time.
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
