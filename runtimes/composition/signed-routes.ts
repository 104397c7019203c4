import { downloadsRoute } from '../../adapters/host/downloads.ts';
import { uploadsRoute } from '../../adapters/host/uploads.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { Signatures } from './engines/kinds.ts';
import type { OpenedObjects } from './opened-objects.ts';

/** The routes of the URLs that an object store signs with these signatures. */
export const signedRoutes = (
  objects: ObjectStore,
  { downloads, uploads }: Signatures,
): Pick<OpenedObjects, 'downloads' | 'uploads'> => ({
  downloads: downloadsRoute(objects, downloads),
  uploads: uploadsRoute(objects, uploads),
});
