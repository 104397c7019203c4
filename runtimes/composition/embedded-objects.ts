import { randomBytes } from 'node:crypto';
import { loadOrCreateSecret } from '../../adapters/crypto/secret-file.ts';
import { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import { FilesystemObjects } from '../../adapters/filesystem/filesystem-objects.ts';
import { UploadSignature } from '../../adapters/filesystem/upload-signature.ts';
import { downloadsRoute } from '../../adapters/host/downloads.ts';
import { uploadsRoute } from '../../adapters/host/uploads.ts';
import { MemoryObjects } from '../../adapters/memory/memory-objects.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { Config } from './config.ts';
import { dataFiles } from './data-dir.ts';
import type { Measures } from './measures.ts';
import type { OpenedObjects, SignedUrls } from './opened-objects.ts';

/** Opens the object store in memory or in DATA_DIR, and makes the routes of the URLs that it signs. */
export const openEmbeddedObjects = (config: Config, urls: SignedUrls, measures: Measures): OpenedObjects => {
  const files = dataFiles(config.dataDir);
  const inMemory = config.store === 'memory' && config.objects === 'memory';
  const secret = inMemory ? randomBytes(32) : loadOrCreateSecret(files.downloadSecret);
  const downloads = new DownloadSignature({ secret, baseUrl: urls.api });
  const uploads = new UploadSignature({ secret, baseUrl: urls.design });
  const routed = (opened: ObjectStore) => {
    const objects = measures.objects(opened);
    return { objects, downloads: downloadsRoute(objects, downloads), uploads: uploadsRoute(objects, uploads) };
  };
  if (config.objects === 'memory') return { ...routed(new MemoryObjects(downloads, uploads)), tidy: undefined };
  const objects = new FilesystemObjects(files.objects, downloads, uploads);
  return { ...routed(objects), tidy: () => objects.tidy() };
};
