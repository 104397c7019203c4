import type { Host } from '../../ports/inbound/hosts.ts';

/** Whether pages show design documents. `auto` shows them where the design host's address is on this machine. */
export const GALLERY_DOCUMENTS = ['auto', 'always', 'never'] as const;

export type GallerySettings = { readonly documents: (typeof GALLERY_DOCUMENTS)[number] };

const ON_THIS_MACHINE = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** True where the pages of the design host show its documents to everybody who reaches it. */
export const showsDocuments = ({ documents }: GallerySettings, urls: Readonly<Record<Host, string>>): boolean =>
  documents === 'always' || (documents === 'auto' && ON_THIS_MACHINE.test(new URL(urls.design).hostname));
