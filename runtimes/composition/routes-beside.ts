import type { ServedHost } from '../../adapters/host/addresses.ts';
import type { JsonBodies } from '../../adapters/host/bodies.ts';
import type { HostRoute } from '../../adapters/host/host.ts';
import type { LazyRoute } from '../../adapters/host/lazy-route.ts';
import { webhooksRoute } from '../../adapters/host/webhooks.ts';
import type { AccountMcp } from '../../adapters/mcp/routes.ts';
import type { WebhookSecrets } from '../../adapters/payments/providers.ts';
import { type DocumentedHost, referenceRoutes } from '../../adapters/web/reference.ts';
import { rootRoute } from '../../adapters/web/root.ts';
import type { ReceiveEvent } from '../../application/sales/receive-event.ts';
import type { ListVerificationKeys } from '../../application/signing/signing-keys.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import { hasProvider } from '../configuration/feature-config.ts';
import type { Service } from './bootstrap.ts';
import {
  apiRoutes,
  designRoutes,
  galleryRoutes,
  type SignedRoutes,
  type WithDesign,
  type WithGallery,
} from './hosts.ts';

type WithEvents = Service<{
  readonly receiveEvent: ReceiveEvent;
  readonly webhookSecrets: WebhookSecrets;
  readonly jsonBodies: JsonBodies;
}>;
type WithApi = Service<{ readonly listVerificationKeys: ListVerificationKeys; readonly accountMcp: AccountMcp }>;
type WithShop = Service<{ readonly shopMcp: LazyRoute }>;

/** The API reference of a host. The documents are loaded with the first request for one. */
export const referenceOf = (name: DocumentedHost, urls: Readonly<Record<Host, string>>): HostRoute[] =>
  referenceRoutes(name, urls, async (host) =>
    (await import('../../adapters/openapi/document.ts')).openApiDocument(urls, host),
  );

/** The API host's route for payment providers' events. Without a provider, the path is left to the app. */
export const webhookRoutes = (service: WithEvents): HostRoute[] =>
  hasProvider(service.get('webhookSecrets'))
    ? [webhooksRoute(() => service.get('receiveEvent'), service.get('jsonBodies'))]
    : [];

/** The root of a host on its own server. An app that mounts the host keeps its own root, and a host its pages. */
export const rootRoutes = (name: ServedHost, urls: Readonly<Record<Host, string>>): HostRoute[] =>
  name === 'account' ? [] : [rootRoute(name === 'legacy' ? 'api' : name, urls)];

/**
 * A host's routes in addition to its endpoints, on a server with every area. `signed` has the routes of signed URLs if
 * the object store does not serve them itself.
 */
export const routesBeside = (
  name: ServedHost,
  service: WithApi & WithEvents & WithDesign & WithShop & WithGallery,
  signed: SignedRoutes,
): HostRoute[] => {
  if (name === 'account') return [];
  const { route, metadata } = service.get('accountMcp');
  const { urls } = service.get('addresses');
  if (name === 'legacy') return [route];
  const documents = referenceOf(name, urls);
  const { downloads } = signed;
  switch (name) {
    case 'api':
      return [
        ...documents,
        ...apiRoutes(service),
        route,
        ...metadata,
        ...webhookRoutes(service),
        ...(downloads ? [downloads] : []),
      ];
    case 'design':
      return [...documents, ...designRoutes(service, signed), ...galleryRoutes(service)];
    case 'shop':
      return [...documents, service.get('shopMcp').route];
    case 'app':
      return documents;
  }
};
