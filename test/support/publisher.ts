import { FilesystemStoreFiles } from '../../adapters/filesystem/store-files.ts';
import type { PublishInput } from '../../application/delivery/releases.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { StoreFiles } from '../../ports/outbound/store-document.ts';
import { aProduct } from './builders.ts';
import { aClock } from './fakes.ts';
import { memoryEngines } from './memory-engines.ts';
import { memoryService } from './service.ts';
import { aFolder } from './store-folder.ts';

/** A store with the products `tool` (1) and `app` (2), which has Sparkle versions, and a folder of files to publish. */
export const aPublisher = async () => {
  const folder = await aFolder({ 'tool.zip': 'tool', 'other.zip': 'other', 'empty.zip': '' });
  const engines = memoryEngines();
  const service = memoryService({ clock: aClock() }, engines);
  await service.get('catalogEditor').save(grantPermit(), { kind: 'product', value: aProduct({ id: 1, slug: 'tool' }) });
  const app = aProduct({ id: 2, slug: 'app', version_scheme: 'sparkle' });
  await service.get('catalogEditor').save(grantPermit(), { kind: 'product', value: app });
  return {
    folder,
    service,
    engines,
    publish: (input: Partial<PublishInput & { files: StoreFiles }> = {}) =>
      service.get('publishRelease')(grantPermit(), {
        product: 'tool',
        file: 'tool.zip',
        filename: input.file ?? 'tool.zip',
        version: '1.0.0',
        channel: null,
        platform: null,
        build: null,
        notes_en: null,
        notes_ko: null,
        released_at: null,
        sparkle: {},
        deltas: [],
        signature: null,
        sign_with: null,
        installation_type: null,
        files: new FilesystemStoreFiles(folder),
        ...input,
      }),
    stored: async (version = '1.0.0', product_id = 1) =>
      (await service.get('releaseEditor').read(product_id, version)).release,
  };
};
