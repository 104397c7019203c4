import type { Registry } from '@prometheus-io/client';
import { counter, histogram, labelled, PREFIX } from './family.ts';
import type { Operations } from './operations.ts';
import type { Requests } from './requests.ts';

/** Registers the metrics of requests. */
export const aboutRequests = (registry: Registry, requests: Requests): void => {
  counter(registry, {
    name: `${PREFIX}http_requests_total`,
    help: 'Requests that were answered. The endpoint is none for pages, files, unknown paths and wrong methods.',
    labels: ['host', 'endpoint', 'method', 'status'],
    read: () =>
      requests.each().flatMap(({ host, endpoint, requests: { byMethod } }) =>
        [...byMethod].flatMap(([method, byStatus]) =>
          [...byStatus].map(([status, value]) => ({
            labels: { host, endpoint, method, status: String(status) },
            value,
          })),
        ),
      ),
  });
  histogram(registry, {
    name: `${PREFIX}http_request_duration_seconds`,
    help: 'Time from a request to the end of its answer.',
    read: () =>
      requests.each().map(({ host, endpoint, requests: { durations } }) => ({ labels: { host, endpoint }, durations })),
  });
  counter(registry, {
    name: `${PREFIX}refusals_total`,
    help: 'Refused calls, and all answers with a status of 400 and above, by the code of the refusal.',
    labels: ['host', 'endpoint', 'code'],
    read: () =>
      requests
        .each()
        .flatMap(({ host, endpoint, requests: { refusals } }) => labelled(refusals, 'code', { host, endpoint })),
  });
  counter(registry, {
    name: `${PREFIX}decisions_total`,
    help: 'Decisions that are answered with 200, such as that of a license check, by their code.',
    labels: ['host', 'endpoint', 'code'],
    read: () =>
      requests
        .each()
        .flatMap(({ host, endpoint, requests: { decisions } }) => labelled(decisions, 'code', { host, endpoint })),
  });
};

/** Registers the metrics of an interface, by its name in metrics and its words in sentences. */
export const aboutOperations = (
  registry: Registry,
  { name, words }: { readonly name: string; readonly words: string },
  operations: Operations<string>,
): void => {
  histogram(registry, {
    name: `${PREFIX}${name}_operation_duration_seconds`,
    help: `Time of the calls of the ${words}, those that failed too.`,
    read: () => operations.each().map(({ operation, durations }) => ({ labels: { operation }, durations })),
  });
  counter(registry, {
    name: `${PREFIX}${name}_errors_total`,
    help: `Calls of the ${words} that failed, by the kind of the error.`,
    labels: ['operation', 'kind'],
    read: () => operations.each().flatMap(({ operation, errors }) => labelled(errors, 'kind', { operation })),
  });
};
