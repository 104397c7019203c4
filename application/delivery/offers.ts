import type { Platform } from '../../domain/catalog/platform.ts';
import type { Product, Strategy } from '../../domain/catalog/product.ts';
import { CHANNELS, type Channel, channelOffers } from '../../domain/delivery/channel.ts';
import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import {
  chooseInstall,
  currentBundle,
  type InstallRefusal,
  type InstallSelection,
  offerUpdate,
  releaseLine,
  type UpdateInput,
  updateAvailable,
} from '../../domain/delivery/offered-release.ts';
import { formatContentType, formatOf, type Release } from '../../domain/delivery/release.ts';
import { clientVersion } from '../../domain/delivery/version-order.ts';
import type { GrantedAccess } from '../../domain/licensing/access.ts';
import { MINUTE_MS, millis, toInstant } from '../../domain/shared/instant.ts';
import { inLocale, type Locale, textOrNull } from '../../domain/shared/locale.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ObjectStore, SignedDownload } from '../../ports/outbound/object-store.ts';
import type { Clock } from '../../ports/outbound/system.ts';
import { productName } from '../catalog/product-views.ts';
import type { Download } from '../shared/files.ts';
import type { Clearance, Step, TwoSteps } from '../shared/steps.ts';

/** The release notes in the locale, or else in the other language; null if there are none or only blank ones. */
export const notesIn = ({ notes_en, notes_ko }: Release, locale: Locale): string | null =>
  inLocale({ en: notes_en ?? undefined, ko: notes_ko ?? undefined }, locale) ?? null;

/**
 * The releases that a channel offers, newest first (`ProductReleaseData` in the OpenAPI document), and the channels
 * that have releases, so a product with only pre-releases doesn't look like one without any.
 */
export const listReleases = ({ releases, versions, clock }: Needs<'clock' | 'releases' | 'versions'>) =>
  async function listReleases({ product, channel, locale }: { product: Product; channel: Channel; locale: Locale }) {
    const all = (await releases.of([product.id])).get(product.id) ?? [];
    const { offered } = releaseLine(product, all, clock.now(), versions.order(product.version_scheme));
    return {
      releases: offered
        .filter((release) => channelOffers(channel, release.channel))
        .map((release) => ({
          id: release.id,
          product_id: product.id,
          version: release.version,
          notes_ko: textOrNull(release.notes_ko),
          notes_en: textOrNull(release.notes_en),
          notes: notesIn(release, locale),
          released_at: release.released_at,
        })),
      channels: CHANNELS.filter((one) => offered.some((release) => release.channel === one)),
    };
  };

export type CheckUpdateInput = UpdateInput & {
  product: Product;
  version: string | null;
  locale: Locale;
};

/**
 * Compares a client's version with the current release (`ProductUpdateApiData` in the OpenAPI document). A missing
 * version is older than every release; an invalid version is refused, because its client would be offered the same
 * update forever. `download_url` is a signed URL if the file is known, and otherwise an endpoint that refuses with the
 * reason or asks for the platform.
 */
export const checkUpdate = (ports: Needs<'clock' | 'links' | 'objects' | 'releases' | 'versions'>) => {
  const { releases, versions, links, clock } = ports;

  return async function checkUpdate({ product, version, channel, platform, locale }: CheckUpdateInput) {
    const order = versions.order(product.version_scheme);
    const sent = version === null ? ok(null) : clientVersion('version', version, product, order);
    if (!sent.ok) return sent;
    const client = sent.value;
    const released = await releases.of([product.id]);
    return async ({ access }: Clearance<GrantedAccess>) => {
      const line = releaseLine(product, released.get(product.id) ?? [], clock.now(), order);
      const offered = offerUpdate(line, access.updates_supported_until, { channel, platform });
      if (!offered.ok) return offered;
      const { current, artifact, allowed, covered } = offered.value;
      const planUrl = (release: number): string => links.installPlan(product.id, { platform, release });
      const signed = allowed && artifact ? await signFile(ports, artifact) : null;
      return ok({
        update: {
          product_id: product.id,
          current_version: current.version,
          released_at: current.released_at,
          changelog: notesIn(current, locale),
          source_ref: current.source_ref,
          artifact_sha256: artifact?.sha256 ?? null,
          artifact_size: artifact?.size ?? null,
          update_available: updateAvailable(current, client, order),
          download_allowed: allowed,
          download_url: signed?.url ?? links.releaseDownload(current.id, { platform, delta: null, ticket: null }),
          download_expires_at: signed?.expires_at ?? null,
          plan_url: planUrl(current.id),
          covered: covered && {
            release_id: covered.id,
            version: covered.version,
            released_at: covered.released_at,
            update_available: updateAvailable(covered, client, order),
            plan_url: planUrl(covered.id),
          },
        },
      });
    };
  };
};

/**
 * The release and file that suit the query, with a signed URL (`ProductInstallData` in the OpenAPI document). Writes
 * nothing.
 */
export const planInstall = (ports: Needs<'clock' | 'objects' | 'releases' | 'versions'>) => {
  const { releases, versions, clock } = ports;

  return async function planInstall({
    product,
    query,
    locale,
  }: {
    product: Product;
    query: InstallSelection;
    locale: Locale;
  }): Promise<Step<Outcome<{ data: InstallPlan }, InstallRefusal>, GrantedAccess>> {
    const released = await releases.of([product.id]);
    return async ({ access }) => {
      const order = versions.order(product.version_scheme);
      const line = releaseLine(product, released.get(product.id) ?? [], clock.now(), order);
      const chosen = chooseInstall(line, access.updates_supported_until, query);
      if (!chosen.ok) return chosen;
      const { release, artifact } = chosen.value;
      const download = await signFile(ports, artifact);
      return ok({
        data: {
          product_id: product.id,
          kind: product.delivery.strategy,
          name: productName(product, locale),
          version: release.version,
          build: release.build,
          channel: release.channel,
          filename: artifact.filename,
          sha256: artifact.sha256,
          size: artifact.size,
          format: artifact.format,
          download_url: download.url,
          download_expires_at: download.expires_at,
          target: artifact.platform ?? 'any',
          slug: product.slug,
          release_id: release.id,
        },
      });
    };
  };
};

export type InstallPlan = {
  product_id: number;
  kind: Strategy;
  name: string;
  version: string;
  build: string | null;
  channel: Channel | null;
  filename: string;
  sha256: string;
  size: number;
  format: string;
  download_url: string;
  download_expires_at: string;
  target: Platform | 'any';
  slug: string | null;
  release_id: number | null;
};

type Ports = Needs<'clock' | 'objects' | 'productUses' | 'releases' | 'versions'>;

/**
 * The current bundle file of a product. A release beyond the account's update window is refused. Sending the bytes
 * counts as use of the product; offering a file does not.
 */
export const openBundle = ({ releases, versions, objects, productUses, clock }: Ports) =>
  async function openBundle(input: {
    account_id: number;
    product: Product;
    platform: Platform | null;
  }): TwoSteps<Outcome<Download, InstallRefusal>, GrantedAccess> {
    const { account_id, product } = input;
    const { id } = product;
    const [released, known] = await Promise.all([releases.of([id]), productUses.of(account_id)]);
    return async ({ permit, access }: Clearance<GrantedAccess>) => {
      const order = versions.order(product.version_scheme);
      const line = releaseLine(product, released.get(id) ?? [], clock.now(), order);
      const current = currentBundle(line, access.updates_supported_until, input.platform);
      if (!current.ok) return current;
      const { filename, sha256, size } = current.value.artifact;
      return ok({
        filename,
        sha256,
        size,
        open: async (range) => {
          const opened = await objects.open(objectKeyOf(sha256), range);
          if (!opened) return undefined;
          const use = { product_id: id, used_at: clock.now() };
          try {
            await productUses.note(permit, account_id, known, [use]);
          } catch (fault) {
            opened.stream.destroy();
            throw fault;
          }
          return opened.stream;
        },
      });
    };
  };

/** The validity of a signed download URL. */
const DOWNLOAD_MINUTES = 15;

/** A signed URL of a published file, valid for 15 minutes without a credential. */
export const signFile = (
  { objects, clock }: { objects: ObjectStore; clock: Clock },
  { sha256, filename }: { sha256: string; filename: string },
): Promise<SignedDownload> =>
  objects.signDownload(objectKeyOf(sha256), {
    filename,
    contentType: formatContentType(formatOf(filename)),
    expiresAt: toInstant(millis(clock.now()) + DOWNLOAD_MINUTES * MINUTE_MS),
  });
