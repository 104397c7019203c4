import type { IncomingMessage } from 'node:http';
import type { Host } from '../../ports/inbound/hosts.ts';

/** Whether pages show design documents. `auto` shows them to this machine, where the design host's address is on it. */
export const GALLERY_DOCUMENTS = ['auto', 'always', 'never'] as const;

export type GallerySettings = { readonly documents: (typeof GALLERY_DOCUMENTS)[number] };

/** The readers to whom pages show design documents. */
export type DocumentReaders = 'everybody' | 'this machine' | 'nobody';

const NAME_OF_THIS_MACHINE = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const ADDRESS_OF_THIS_MACHINE = /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/;

/** The readers of design documents, who need no token. */
export const documentReaders = (
  { documents }: GallerySettings,
  urls: Readonly<Record<Host, string>>,
): DocumentReaders => {
  if (documents === 'always') return 'everybody';
  const isHere = documents === 'auto' && NAME_OF_THIS_MACHINE.test(new URL(urls.design).hostname);
  return isHere ? 'this machine' : 'nobody';
};

/**
 * True for a request that this machine sent, from this address, to itself by name. Its server listens on every address,
 * so that others reach it too. The name shows a page that leads its own name to this machine (DNS rebinding).
 */
export const isFromThisMachine = ({ headers: { host } }: Pick<IncomingMessage, 'headers'>, address: string): boolean =>
  ADDRESS_OF_THIS_MACHINE.test(address) && NAME_OF_THIS_MACHINE.test(URL.parse(`http://${host}`)?.hostname ?? '');
