import { type Answer, boundedRequest, type ProbeRequest } from './bounded-request.ts';

/** The finding of a check. The reason names no value of a request or an answer, so that no key gets into a log. */
export type Finding = {
  readonly url: string;
  readonly ok: boolean;
  readonly ms: number;
  /** The status of the answer; undefined where none came. */
  readonly status?: number;
  /** The reason of a failure. */
  readonly reason?: string;
};

export type License = { readonly product: number; readonly key: string };

/** The device that takes the one slot of the probe's account. */
export const PROBE_DEVICE = 'synthetic-probe';

/** The code of an error, or its name. Its message may quote a header. */
const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
};

const found = async (asked: ProbeRequest, fault: (answer: Answer) => string | undefined): Promise<Finding> => {
  const { url } = asked;
  const began = performance.now();
  const ms = (): number => Math.round(performance.now() - began);
  try {
    const answer = await boundedRequest(asked);
    const reason = fault(answer);
    return { url, ok: reason === undefined, ms: ms(), status: answer.status, ...(reason !== undefined && { reason }) };
  } catch (error) {
    return { url, ok: false, ms: ms(), reason: codeOf(error) };
  }
};

/** Asks a host whether it is well: whether its function runs and reaches the table. */
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

/** The fault of the answer to a license check: its status, no JSON, a license that is not valid, or no token. */
const faultOfLicense = ({ status, text }: Answer): string | undefined => {
  if (status !== 200) return 'status';
  const members = membersOf(text);
  if (!members) return 'no JSON';
  if (members['valid'] !== true) return 'not valid';
  return typeof members['token'] === 'string' && members['token'] !== '' ? undefined : 'no token';
};

/** Checks a license as an application does. The token has to be there; its signature is for clients to check. */
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
