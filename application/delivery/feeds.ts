import { isLive } from '../../domain/access/api-key.ts';
import { type Platform, productPlatforms } from '../../domain/catalog/platform.ts';
import type { FeedReaders, Product } from '../../domain/catalog/product.ts';
import { appcastOf } from '../../domain/delivery/appcast.ts';
import type { Channel } from '../../domain/delivery/channel.ts';
import {
  countedReader,
  feedReach,
  feedReadersOf,
  isOpenToAll,
  type KnownReader,
  noFeed,
  updateReadersOf,
} from '../../domain/delivery/feed-access.ts';
import {
  coveredRelease,
  type FileChoice,
  fileOf,
  noSuchRelease,
  reachableReleases,
  releaseLine,
} from '../../domain/delivery/offered-release.ts';
import type { Release } from '../../domain/delivery/release.ts';
import {
  type ElectronFeed,
  electronFeed,
  feedNamed,
  fileNamed,
  hasUpdaterSignature,
  type TauriClient,
  type TauriUpdate,
  type TicketOf,
  tauriUpdate,
  type VelopackAsset,
  velopackFeed,
} from '../../domain/delivery/update-feeds.ts';
import { clientVersion } from '../../domain/delivery/version-order.ts';
import { noSuchProduct, targetProduct, unknownAs } from '../../domain/licensing/access.ts';
import { type Instant, millis } from '../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ReadAccess } from '../licensing/access.ts';
import { signFile } from './offers.ts';

export type FeedPorts = Needs<'catalogs' | 'releases'> & { readAccess: ReadAccess; releaseTickets: ReleaseTickets };

export type FeedRequest = {
  /** Null for a request without a credential. */
  readonly caller: KnownReader | null;
  /** Null for a path value that is not an id. */
  readonly product_id: number | null;
};

export type FeedRefusal =
  | 'not_found'
  | 'missing_api_key'
  | 'product_entitlement_required'
  | 'product_api_key_scope_required';

export type FeedSource = {
  readonly product: Product;
  /** All releases of the product, including those that no feed offers. */
  readonly releases: readonly Release[];
  /** The end of the reader's update window; null is never. */
  readonly updates_until: Instant | null;
  /** The ticket that replaces the reader's key in a link; null if the feed is public. */
  readonly ticketOf: TicketOf;
};

/**
 * The product of a feed with its releases, for a caller who may read the feed. On a public feed, a key without access
 * is ignored. If the product has no such feed (`readersOf`), its owner learns that; to everybody else the product does
 * not exist.
 */
export const readFeed = (
  { catalogs, releases, readAccess, releaseTickets }: FeedPorts,
  readersOf: (product: Product) => FeedReaders | null,
) =>
  async function readFeed({ caller, product_id }: FeedRequest): Promise<Outcome<FeedSource, FeedRefusal>> {
    const catalog = await catalogs.current();
    const known = product_id === null ? undefined : catalog.products.get(product_id);
    const reader = countedReader(known, caller);
    const target = targetProduct(catalog.products, reader?.scope ?? null, product_id);
    if (!target.ok) return target;
    const product = target.value;
    const [access, released] = await Promise.all([
      reader && readAccess(reader.account_id, product, catalog),
      releases.of([product.id]),
      releaseTickets.fresh(),
    ]);
    if (readersOf(product) === null) return access?.granted ? noFeed() : noSuchProduct();
    const reach = feedReach(product, access);
    if (!reach.ok) return reach;
    const ticketOf = (release_id: number): string | null =>
      reader?.key && !isOpenToAll(product)
        ? releaseTickets.issue({ account_id: reader.account_id, key_hash: reader.key.hash }, release_id)
        : null;
    return ok({ product, releases: released.get(product.id) ?? [], ...reach.value, ticketOf });
  };

/** The Sparkle 2 appcast of an application, with the offered releases that the caller may use (`readFeed`). */
export const showAppcast = (ports: FeedPorts & Needs<'appcastWriter' | 'clock' | 'links'>) => {
  const { appcastWriter, links, clock } = ports;
  const read = readFeed(ports, feedReadersOf);

  return async function showAppcast({
    channel,
    ...request
  }: FeedRequest & { readonly channel: Channel | null }): Promise<Outcome<string, FeedRefusal>> {
    const source = await read(request);
    if (!source.ok) return source;
    const { product, releases, updates_until, ticketOf } = source.value;
    const feed = appcastOf(
      product,
      releases,
      { channel, updates_until, now: clock.now() },
      links.appcast(product.id),
      ({ id }, { platform }, delta) =>
        links.releaseDownload(id, { platform, delta: delta?.from_build ?? null, ticket: ticketOf(id) }),
    );
    return ok(await appcastWriter.write(feed));
  };
};

/**
 * The update of an application by Tauri's updater, among the offered releases that the caller may use (`readFeed`);
 * null if there is none. A product without any file signed for the updater is refused, so a publisher who forgot it
 * finds out.
 */
export const showTauriUpdate = (ports: FeedPorts & Needs<'clock' | 'links' | 'versions'>) => {
  const { links, versions, clock } = ports;
  const read = readFeed(ports, updateReadersOf);

  return async function showTauriUpdate({
    caller,
    product_id,
    channel,
    ...client
  }: FeedRequest & TauriClient & { readonly channel: Channel }): Promise<
    Outcome<TauriUpdate | null, FeedRefusal | 'install_not_available' | 'validation_failed'>
  > {
    const source = await read({ caller, product_id });
    if (!source.ok) return source;
    const { product, releases, updates_until, ticketOf } = source.value;
    const now = clock.now();
    const line = releaseLine(product, releases, now, versions.order(product.version_scheme));
    const installed = clientVersion('installed', client.version, product, line.order);
    if (!installed.ok) return installed;
    if (!hasUpdaterSignature(line)) {
      return refuse('install_not_available', {
        message: 'No file of this product is signed for Tauri; publish with --updater-signature.',
      });
    }
    const update = tauriUpdate(
      line,
      { ...client, version: installed.value },
      { channel, updates_until, now },
      ({ id }, { platform }) => links.releaseDownload(id, { platform, delta: null, ticket: ticketOf(id) }),
    );
    return ok(update);
  };
};

export type FileRequest = FeedRequest & {
  /** The name of a feed (`feedNamed`), or of a file of a release. */
  readonly file: string;
  /** The release and platform in a feed's link; null for any. */
  readonly release: number | null;
  readonly platform: Platform | null;
  readonly ticket: string | null;
};

export type UpdateFile = ElectronFeed | { readonly Assets: readonly VelopackAsset[] } | string;

/**
 * The folder that electron-updater's generic provider and Velopack's web source read: their feeds under their standard
 * names, with the offered releases that the caller may use (`readFeed`), and the files that the feeds name
 * (`downloadRelease`).
 */
export const openUpdateFile = (
  ports: FeedPorts & Needs<'clock' | 'versions'> & { downloadRelease: DownloadRelease },
) => {
  const { releases, versions, clock, downloadRelease } = ports;
  const read = readFeed(ports, updateReadersOf);

  const openFile = async (input: FileRequest): Promise<Outcome<string, DownloadRefusal>> => {
    const { caller, product_id, ticket } = input;
    const released = product_id === null ? [] : ((await releases.of([product_id])).get(product_id) ?? []);
    const named = fileNamed(released, input.file, input);
    if (!named) return noSuchRelease();
    const { platform } = named.artifact;
    return downloadRelease({ caller, release_id: named.release.id, platform, delta: null, ticket });
  };

  return async function openUpdateFile(input: FileRequest): Promise<Outcome<UpdateFile, DownloadRefusal>> {
    const named = feedNamed(input.file);
    if (!named) return openFile(input);
    const source = await read(input);
    if (!source.ok) return source;
    const { product, updates_until, ticketOf } = source.value;
    const now = clock.now();
    const line = releaseLine(product, source.value.releases, now, versions.order(product.version_scheme));
    const reader = { channel: named.channel, updates_until, now };
    if (named.updater === 'velopack') return ok(velopackFeed(line, named.mark, reader));
    const feed = electronFeed(line, named.mark, reader, ticketOf);
    if (feed) return ok(feed);
    return refuse('install_not_available', {
      message: `No release on channel ${named.channel} has a file that electron-updater can install from ${input.file}.`,
    });
  };
};

export type ReleaseRequest = FileChoice & {
  /** Null for a request without a credential. */
  readonly caller: KnownReader | null;
  /** Null for a path value that is not an id. */
  readonly release_id: number | null;
  readonly ticket: string | null;
};

type DownloadRefusal = FeedRefusal | 'version_update_window_expired' | 'install_not_available' | 'validation_failed';

/**
 * A signed URL of an offered release's file, valid for 15 minutes. If the product's feed is public, anybody gets it;
 * otherwise the account of the credential or ticket needs access to the product. A credential takes precedence over a
 * ticket. An invalid ticket, or one whose key was revoked, is ignored.
 */
export const downloadRelease = (ports: FeedPorts & Needs<'clock' | 'objects'>) => {
  const { catalogs, releases, readAccess, releaseTickets, clock } = ports;

  return async function downloadRelease({
    caller,
    release_id,
    ticket,
    ...choice
  }: ReleaseRequest): Promise<Outcome<string, DownloadRefusal>> {
    const [catalog, product_id] = await Promise.all([
      catalogs.current(),
      release_id === null ? undefined : releases.productOf(release_id),
      releaseTickets.fresh(),
    ]);
    const known = product_id === undefined ? undefined : catalog.products.get(product_id);
    const reader = countedReader(known, caller);
    const gate = targetProduct(catalog.products, reader?.scope ?? null, product_id ?? null);
    const target = unknownAs(gate, noSuchRelease());
    if (!target.ok) return target;
    if (release_id === null) return noSuchRelease();
    const product = target.value;
    const ticketHolder = caller || ticket === null ? null : releaseTickets.read(ticket, release_id);
    const account_id = reader?.account_id ?? ticketHolder?.account_id ?? null;
    const [access, isHeld, released] = await Promise.all([
      account_id === null ? null : readAccess(account_id, product, catalog),
      ticketHolder === null || releaseTickets.isHeld(ticketHolder),
      releases.of([product.id]),
    ]);
    const reach = unknownAs(feedReach(product, isHeld ? access : null), noSuchRelease());
    if (!reach.ok) return reach;
    const { updates_until } = reach.value;
    const all = released.get(product.id) ?? [];
    const now = clock.now();
    const release = coveredRelease(all, release_id, updates_until, now);
    if (!release.ok) return release;
    const among = reachableReleases(all, release.value.channel, updates_until, now);
    const file = fileOf(release.value, choice, productPlatforms(product), among);
    return file.ok ? ok((await signFile(ports, file.value)).url) : file;
  };
};

export type DownloadRelease = ReturnType<typeof downloadRelease>;

/** The account and the key that read the feed. The key cannot be recovered from its hash. */
export type TicketHolder = { readonly account_id: number; readonly key_hash: string };

const TYPE = 'release-ticket+jws';

/** `iat` is rounded down to the hour, so a feed stays the same within the hour. */
const ISSUE_SECONDS = 3600;

/** Counted from `iat`, so a ticket is valid for at least a day. */
const LIFE_SECONDS = 25 * 3600;

type Ports = Needs<'apiKeys' | 'clock' | 'licenseSigner' | 'links'>;

/**
 * Tickets replace a key in the links of a feed, because an updater follows links without sending a header. With a
 * ticket, one account can request one release for about a day. A ticket grants no access by itself: each download
 * checks the account's access and the key again, so revoking the key takes effect with the next request.
 */
export const releaseTickets = ({ licenseSigner, links, apiKeys, clock }: Ports) => {
  /** Unix seconds. */
  const now = (): number => Math.floor(millis(clock.now()) / 1000);

  /** The guarantee of `LicenseSigner`: await it before `issue` and `read`. */
  const fresh = (): Promise<void> | undefined => licenseSigner.fresh();

  const issue = ({ account_id, key_hash }: TicketHolder, release_id: number): string => {
    const issued = now() - (now() % ISSUE_SECONDS);
    return licenseSigner.sign(TYPE, {
      iss: links.issuer,
      sub: String(account_id),
      iat: issued,
      exp: issued + LIFE_SECONDS,
      release_id,
      key: key_hash,
    });
  };

  /**
   * The holder of a ticket for this release; null if the ticket is for another release, expired or invalid. Check
   * `isHeld` before granting anything.
   */
  const read = (ticket: string, release_id: number): TicketHolder | null => {
    const claims = licenseSigner.verify(TYPE, ticket);
    if (claims?.['release_id'] !== release_id || claims['iss'] !== links.issuer) return null;
    const { exp, sub, key } = claims;
    if (typeof exp !== 'number' || now() >= exp || typeof key !== 'string') return null;
    return { account_id: Number(sub), key_hash: key };
  };

  /** True while the key is live. Strongly consistent: a revocation takes effect with the next call. */
  const isHeld = async ({ account_id, key_hash }: TicketHolder): Promise<boolean> => {
    const key = await apiKeys.find(key_hash);
    return key !== undefined && key.account_id === account_id && isLive(key, clock.now());
  };

  return { fresh, issue, read, isHeld };
};

export type ReleaseTickets = ReturnType<typeof releaseTickets>;
