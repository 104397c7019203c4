import type { IncomingMessage } from 'node:http';
import type { Host } from '../../ports/inbound/hosts.ts';
import { isLoopback, isNameOfThisMachine } from './this-machine.ts';

/** Whether pages show design documents. `auto` shows them to this machine, where the design host's address is on it. */
export type GalleryDocuments = 'auto' | 'always' | 'never';

export const GALLERY_DOCUMENTS = ['auto', 'always', 'never'] as const satisfies readonly GalleryDocuments[];

export type GallerySettings = { readonly documents: GalleryDocuments };

/** The readers to whom pages show design documents. */
export type DocumentReaders = 'everybody' | 'this machine' | 'nobody';

/** The readers of design documents, who need no token. */
export const documentReaders = (
  { documents }: GallerySettings,
  urls: Readonly<Record<Host, string>>,
): DocumentReaders => {
  if (documents === 'always') return 'everybody';
  const isHere = documents === 'auto' && isNameOfThisMachine(new URL(urls.design).hostname);
  return isHere ? 'this machine' : 'nobody';
};

/** Headers that a proxy adds to the requests that it passes on (RFC 7239, RFC 9110, and those of common proxies). */
const PASSED_ON = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'] as const;

/**
 * True for a request that this machine sent, from this address, to itself by name. A server that listens on every
 * address is reached by others too, and a proxy on this machine passes on the requests of others. The name shows a page
 * that leads its own name to this machine (DNS rebinding).
 */
export const isFromThisMachine = ({ headers }: Pick<IncomingMessage, 'headers'>, address: string): boolean =>
  isLoopback(address) &&
  PASSED_ON.every((name) => headers[name] === undefined) &&
  isNameOfThisMachine(URL.parse(`http://${headers.host}`)?.hostname ?? '');
