import { StoredGallery } from '../../../adapters/store/design/gallery.ts';
import { StoredGalleryEditor } from '../../../adapters/store/design/gallery-editor.ts';
import type { Table } from '../../../adapters/store/table.ts';
import { systemPauses } from '../../../adapters/system/system.ts';
import { audited } from '../audited.ts';
import { aClock } from '../fakes.ts';

/** A gallery on a table, and two editors that may save concurrently, like two processes. */
export const galleryOn = (table: Table) => {
  const editor = () => new StoredGalleryEditor({ ...audited(table), clock: aClock(), pauses: systemPauses });
  return { gallery: new StoredGallery(table), editors: [editor(), editor()] as const };
};
