import type { HostRoute } from '../../adapters/host/host.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';

/** Public addresses of signed downloads (API host) and signed uploads (design host). */
export type SignedUrls = Readonly<Pick<Record<Host, string>, 'api' | 'design'>>;

/** An opened object store, and the routes of the URLs that it signs. */
export type OpenedObjects = {
  readonly objects: ObjectStore;
  /** The route of signed download URLs; undefined if the object store serves them itself. */
  readonly downloads: HostRoute | undefined;
  /** The route of signed upload URLs; undefined if the object store serves them itself. */
  readonly uploads: HostRoute | undefined;
  /** Removes the files of support reports whose retention has ended; undefined if the object store does so itself. */
  readonly tidy: (() => Promise<void>) | undefined;
};
