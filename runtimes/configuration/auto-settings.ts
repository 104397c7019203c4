import type { IncomingMessage } from 'node:http';
import type { Host } from '../../ports/inbound/hosts.ts';

const NAME = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const ADDRESS = /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/;

/** True for a host name that points a client to its own machine. */
export const isNameOfThisMachine = (hostname: string): boolean => NAME.test(hostname);

/** True for a loopback address, which other machines cannot reach. */
export const isLoopback = (address: string): boolean => ADDRESS.test(address);

/**
 * Whether an empty store gets the sample store, whose demo account has a known password. `auto` means yes if only this
 * machine can reach the server.
 */
export type SampleStore = 'auto' | 'always' | 'never';

export const SAMPLE_STORES = ['auto', 'always', 'never'] as const satisfies readonly SampleStore[];

/** The parts of the configuration that determine who can reach the server. */
type Reach = {
  readonly address: string;
  readonly urls: Readonly<Partial<Record<Host, string>>>;
  readonly legacy: { readonly url?: string | undefined };
  readonly trustedProxies: readonly string[];
};

/**
 * True if other machines can reach the server: it listens for them, or a public address or a trusted proxy shows that a
 * proxy on this machine forwards their requests.
 */
export const isPublic = ({ address, urls, legacy, trustedProxies }: Reach): boolean => {
  const named = [...Object.values(urls), legacy.url].filter((url) => url !== undefined);
  const isNamedElsewhere = named.some((url) => !isNameOfThisMachine(new URL(url).hostname));
  return !isLoopback(address) || isNamedElsewhere || trustedProxies.length > 0;
};

/** True if an empty store gets the sample store. */
export const givesSamples = ({ sampleStore, ...reach }: Reach & { readonly sampleStore: SampleStore }): boolean =>
  sampleStore === 'always' || (sampleStore === 'auto' && !isPublic(reach));

/** Whether pages show design documents. `auto` shows them to this machine, if the design host's address is on it. */
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

/** Headers that a proxy adds to forwarded requests (RFC 7239, RFC 9110, and those of common proxies). */
const PASSED_ON = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'] as const;

/**
 * True for a request that this machine sent to itself by name, from this address. The address is not enough: a server
 * may listen on every address, and a proxy on this machine forwards the requests of others. The name exposes a page
 * whose own name resolves to this machine (DNS rebinding).
 */
export const isFromThisMachine = ({ headers }: Pick<IncomingMessage, 'headers'>, address: string): boolean =>
  isLoopback(address) &&
  PASSED_ON.every((name) => headers[name] === undefined) &&
  isNameOfThisMachine(URL.parse(`http://${headers.host}`)?.hostname ?? '');
