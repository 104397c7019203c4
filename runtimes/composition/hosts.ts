import { type Addresses, originsOf, type ServedHost } from '../../adapters/host/addresses.ts';
import type { JsonBodies } from '../../adapters/host/bodies.ts';
import { endpointRoutes } from '../../adapters/host/endpoint-routes.ts';
import { mediaRoute, savedPageRoute } from '../../adapters/host/gallery-files.ts';
import {
  createHost,
  type HostFunction,
  type HostOptions,
  type HostRoute,
  type Limit,
} from '../../adapters/host/host.ts';
import type { LazyRoute } from '../../adapters/host/lazy-route.ts';
import { jwksRoute, skillRoute } from '../../adapters/host/public-files.ts';
import { legacyHeaders } from '../../adapters/host/request.ts';
import type { SpoolFolder } from '../../adapters/host/spool.ts';
import type { Invoker } from '../../adapters/pipeline/invoke.ts';
import type { LimitAddress } from '../../application/access/limit-rate.ts';
import type { ListVerificationKeys } from '../../application/signing/signing-keys.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import type { SkillPackage } from '../../ports/outbound/design/documents.ts';
import type { Gallery } from '../../ports/outbound/design/gallery.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { Service } from './bootstrap.ts';

export type Serving = {
  readonly service: Service<{
    readonly invoker: Invoker;
    readonly endpoints: readonly EndpointSpec[];
    readonly jsonBodies: JsonBodies;
    readonly limitAddress: LimitAddress;
    readonly addresses: Addresses;
  }>;
  /** Public addresses of the hosts, without a slash at the end. */
  readonly urls: Readonly<Record<Host, string>>;
  readonly options: Pick<HostOptions, 'log' | 'fault' | 'health' | 'ready' | 'streams'>;
  /** The folder for received files. All hosts of a process share it, because it limits the forms received at a time. */
  readonly spool: SpoolFolder;
  /** Routes besides the endpoints. */
  readonly beside?: readonly HostRoute[];
};

/** The rate limiter for requests that no endpoint counts. */
export const limitOf = (service: Service<{ readonly limitAddress: LimitAddress }>): Limit =>
  service.get('limitAddress');

/**
 * Creates a host with the endpoints of the service's areas and the routes in `beside`. All hosts are created here;
 * every mount passes requests to one of them.
 */
export const openHost = (name: ServedHost, { service, urls, options, spool, beside = [] }: Serving): HostFunction => {
  const of = name === 'legacy' ? 'api' : name;
  const endpoints = service.get('endpoints').filter(({ host }) => host === of);
  const intake = { spool, jsonBodies: service.get('jsonBodies') };
  return createHost([...endpointRoutes(endpoints, service.get('invoker'), intake), ...beside], {
    ...options,
    limit: limitOf(service),
    openTo: originsOf(name, { ...service.get('addresses'), urls }),
    passes: name === 'legacy' ? legacyHeaders : undefined,
  });
};

/** The API host's routes besides its endpoints: the public keys that verify the service's signatures. */
export const apiRoutes = (service: Service<{ readonly listVerificationKeys: ListVerificationKeys }>): HostRoute[] => [
  jwksRoute(() => service.get('listVerificationKeys')()),
];

export type WithDesign = Service<{ readonly designMcp: LazyRoute; readonly skillPackage: SkillPackage }>;

/** The routes of URLs that the object store signs: downloads on the API host, uploads on the design host. */
export type SignedRoutes = {
  readonly downloads?: HostRoute | undefined;
  readonly uploads?: HostRoute | undefined;
};

/**
 * The design host's routes besides its endpoints: the design MCP, the files of the skill package, and signed uploads.
 */
export const designRoutes = (service: WithDesign, { uploads }: SignedRoutes): HostRoute[] => [
  service.get('designMcp').route,
  skillRoute(service.get('skillPackage')),
  ...(uploads ? [uploads] : []),
];

export type WithGallery = Service<{
  readonly addresses: Addresses;
  readonly objects: ObjectStore;
  readonly gallery: Pick<Gallery, 'screen'>;
}>;

/** The design host's routes for the files of its pages: images, style sheets and saved pages. */
export const galleryRoutes = ({ get }: WithGallery): HostRoute[] => [
  mediaRoute(get('objects')),
  savedPageRoute({
    objects: get('objects'),
    pageOf: async (id) => (await get('gallery').screen(id))?.page ?? null,
    design: get('addresses').urls.design,
  }),
];
