import { galleryHandlers } from '../../../../adapters/pipeline/handlers/design/gallery.ts';
import { StoredGallery } from '../../../../adapters/store/design/gallery.ts';
import { StoredGalleryEditor } from '../../../../adapters/store/design/gallery-editor.ts';
import { listApps } from '../../../../application/design/gallery/browse.ts';
import type { Gallery, GalleryEditor } from '../../../../ports/outbound/design/gallery.ts';
import { onTable, withParts } from '../../area.ts';

/** Apps, flows and screens of the design host. */
export const gallery = withParts(galleryHandlers, {
  gallery: onTable<Gallery>(StoredGallery),
  galleryEditor: (parts: ConstructorParameters<typeof StoredGalleryEditor>[0]): GalleryEditor =>
    new StoredGalleryEditor(parts),
  listApps,
});
