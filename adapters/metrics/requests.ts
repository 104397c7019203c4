import { Durations, Tally } from './tally.ts';

/** The part of a logged request that the metrics count. */
export type SeenRequest = {
  readonly method: string;
  readonly status: number;
  /** Milliseconds from the request to the end of its answer. */
  readonly ms: number;
  readonly answered:
    | { readonly endpoint: string; readonly code: string | null; readonly decision?: string | undefined }
    | undefined;
};

/** Seconds. A license check takes less than a millisecond, and a large download takes minutes. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Clients choose the method, so any other method is counted as `other`. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The label of a request that no endpoint answered, such as one for an unknown path, a page or a file. */
const NO_ENDPOINT = 'none';

/** The codes of refusals that do not come from an endpoint. */
const CODES: Readonly<Record<number, string>> = {
  404: 'not_found',
  405: 'method_not_allowed',
  429: 'rate_limited',
  500: 'fault',
  503: 'unavailable',
};

/** The code of a refusal: the endpoint's own, or one for the status; undefined for a success. */
const refusalOf = ({ status, answered }: SeenRequest): string | undefined =>
  answered?.code ?? (status < 400 ? undefined : (CODES[status] ?? 'other'));

class EndpointRequests {
  readonly durations = new Durations(BOUNDS);
  readonly refusals = new Tally();
  readonly decisions = new Tally();
  readonly byMethod = new Map<string, Map<number, number>>();

  add(seen: SeenRequest): void {
    const { status, ms, answered } = seen;
    const method = METHODS.has(seen.method) ? seen.method : 'other';
    const byStatus = this.byMethod.get(method) ?? new Map<number, number>();
    if (byStatus.size === 0) this.byMethod.set(method, byStatus);
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    this.durations.add(ms / 1000);
    const code = refusalOf(seen);
    if (code !== undefined) this.refusals.add(code);
    if (answered?.decision !== undefined) this.decisions.add(answered.decision);
  }
}

/**
 * The requests of a process by host and endpoint. All labels are our own names: a path, method, key or address that a
 * client chooses never creates a new one.
 */
export class Requests {
  readonly #hosts = new Map<string, Map<string, EndpointRequests>>();

  at(host: string): (seen: SeenRequest) => void {
    const endpoints = this.#hosts.get(host) ?? new Map<string, EndpointRequests>();
    this.#hosts.set(host, endpoints);
    return (seen) => {
      const name = seen.answered?.endpoint ?? NO_ENDPOINT;
      let endpoint = endpoints.get(name);
      if (!endpoint) {
        endpoint = new EndpointRequests();
        endpoints.set(name, endpoint);
      }
      endpoint.add(seen);
    };
  }

  each(): { readonly host: string; readonly endpoint: string; readonly requests: EndpointRequests }[] {
    return [...this.#hosts].flatMap(([host, endpoints]) =>
      [...endpoints].map(([endpoint, requests]) => ({ host, endpoint, requests })),
    );
  }
}
