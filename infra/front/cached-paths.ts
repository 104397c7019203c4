import { type EndpointSpec, isOpen } from '../../ports/inbound/endpoint.ts';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import type { Served } from '../routes.ts';

/** Paths that CloudFront may keep the answers to, for as long as these say. */
export type CachedPath = {
  /** `*` stands for any characters, slashes too. */
  readonly pattern: string;
  /** The request headers that the answers depend on. Every part of the query counts too, and no cookie does. */
  readonly headers: readonly string[];
};

/** The pages that may read an answer depend on the origin that asks. */
const EVERY = ['Origin'];

/** The paths beside the endpoints whose answers say that every cache may keep them. */
const BESIDE: Readonly<Partial<Record<Served, readonly CachedPath[]>>> = {
  api: ['/docs/*', '/.well-known/*'].map((pattern) => ({ pattern, headers: EVERY })),
  account: ['/assets/*', '/.well-known/*'].map((pattern) => ({ pattern, headers: EVERY })),
  design: ['/media/*', '/skill/*', '/assets/*'].map((pattern) => ({ pattern, headers: EVERY })),
};

/** True where the endpoint tells every cache to keep an answer to somebody. */
const isPublic = ({ cache }: EndpointSpec): boolean => typeof cache === 'object';

const headersOf = (endpoint: EndpointSpec): string[] => [
  ...EVERY,
  ...(endpoint.localized ? ['Accept-Language'] : []),
  // An answer to somebody with a credential is another one. CloudFront asks for each credential by itself.
  ...(isOpen(endpoint) ? [] : ['Authorization']),
];

const patternOf = (path: string): string => path.replaceAll(/\{\w+\}/g, '*');

/**
 * The paths of a host whose answers CloudFront may keep. All others pass it by. A path is one of them where its
 * endpoint declares public caching; each header of its `Vary` is a part of the key, so that no caller gets another's
 * answer.
 */
export const cachedPathsOf = (served: Served): readonly CachedPath[] => {
  const host = served === 'legacy' ? 'api' : served;
  const declared = allEndpoints
    .filter((endpoint) => endpoint.host === host && isPublic(endpoint))
    .map((endpoint) => ({ pattern: patternOf(endpoint.path), headers: headersOf(endpoint) }));
  return [...declared, ...(BESIDE[served] ?? [])];
};
