import type { Product } from '../catalog/product.ts';
import type { Instant } from '../shared/instant.ts';
import { LOCALES, type Locale, localeServed, textOrNull } from '../shared/locale.ts';
import { formatContentType, formatOf, type InstallationType } from './artifact-format.ts';
import { type Channel, channelOffers } from './channel.ts';
import { installationTypeOf } from './feed-files.ts';
import { notesHtml } from './notes-html.ts';
import { type Artifact, type Delta, isCovered, isOffered, type Release } from './release.ts';
import { inThreeParts, NO_TERMS, type SparkleTerms } from './sparkle-terms.ts';
import { sparkleOrder } from './version-order.ts';

/** A file that Sparkle downloads. */
export type Enclosure = {
  readonly url: string;
  /** Bytes. */
  readonly length: number;
  /** Media type. */
  readonly type: string;
  /** Ed25519 signature of the file (RFC 8032), base64; null where the file was published without a signing key. */
  readonly signature: string | null;
  /** Null for an application, and for a patch. */
  readonly installation_type: InstallationType | null;
};

/** One `<item>` of a feed: a release for all Macs, or for the Macs of one architecture. */
export type AppcastItem = Omit<SparkleTerms, 'release_notes_link'> & {
  readonly release_id: number;
  /** The build number. Sparkle compares nothing else. */
  readonly version: string;
  /** The version that people read. */
  readonly short_version: string;
  /** Null is Sparkle's default channel, which every client reads. */
  readonly channel: Channel | null;
  readonly published_at: Instant;
  /** Release notes; empty where `notes_links` has pages instead. */
  readonly notes: readonly { readonly locale: Locale; readonly html: string }[];
  readonly notes_links: readonly { readonly locale: Locale; readonly url: string }[];
  /** True where the release is for Apple silicon only; an Intel Mac skips the item. */
  readonly requires_arm64: boolean;
  readonly enclosure: Enclosure;
  readonly deltas: readonly (Enclosure & { readonly from_build: string })[];
};

/** The content of a feed for Sparkle 2, before it is written as XML. */
export type Appcast = {
  readonly title: string;
  readonly link: string;
  readonly language: Locale;
  /** Newest first. */
  readonly items: readonly AppcastItem[];
};

/** The URL of a file of a release. A patch is given as `delta`; null stands for the whole file. */
export type DownloadAddress = (release: Release, artifact: Artifact, delta: Delta | null) => string;

/**
 * The artifacts of a release that update Macs: the one for every platform, which is a universal application, or else
 * one for each architecture, Apple silicon first. The order matters, because Sparkle takes the first fitting item of
 * two with the same build: an Intel Mac skips the first (from Sparkle 2.9 on), and Apple silicon never reaches the
 * second.
 */
export const feedArtifacts = ({ artifacts }: Release): readonly Artifact[] => {
  const neutral = artifacts.filter(({ platform }) => platform === null);
  if (neutral.length > 0) return neutral;
  return (['darwin-arm64', 'darwin-amd64'] as const).flatMap((one) => artifacts.filter((a) => a.platform === one));
};

/** True where the release has a build number and a file for Macs, which an appcast needs. */
export const hasFeedFile = (release: Release): boolean => release.build !== null && feedArtifacts(release).length > 0;

/** True where the appcast has the release, from its moment on. */
export const isInFeed = (release: Release): boolean => release.withdrawn === undefined && hasFeedFile(release);

const enclosureOf = (
  url: string,
  { filename, size, signature }: Omit<Delta, 'from_build'>,
  installation_type: InstallationType | null = null,
): Enclosure => ({ url, length: size, type: formatContentType(formatOf(filename)), signature, installation_type });

const itemOf = (release: Release, build: string, artifact: Artifact, address: DownloadAddress): AppcastItem => {
  const { release_notes_link, minimum_system_version, maximum_system_version, ...terms } = release.sparkle ?? NO_TERMS;
  const notes = { en: release.notes_en, ko: release.notes_ko };
  return {
    ...terms,
    minimum_system_version: minimum_system_version === null ? null : inThreeParts(minimum_system_version),
    maximum_system_version: maximum_system_version === null ? null : inThreeParts(maximum_system_version),
    release_id: release.id,
    version: build,
    short_version: release.version,
    channel: release.channel === 'stable' ? null : release.channel,
    published_at: release.released_at,
    notes_links: LOCALES.flatMap((locale) => {
      const url = release_notes_link?.[locale];
      return url === undefined ? [] : [{ locale, url }];
    }),
    notes: LOCALES.flatMap((locale) => {
      const text = textOrNull(notes[locale]);
      return text === null || release_notes_link ? [] : [{ locale, html: notesHtml(text) }];
    }),
    requires_arm64: artifact.platform === 'darwin-arm64',
    enclosure: enclosureOf(address(release, artifact, null), artifact, installationTypeOf(artifact)),
    deltas: (artifact.deltas ?? []).map((delta) => ({
      from_build: delta.from_build,
      ...enclosureOf(address(release, artifact, delta), delta),
    })),
  };
};

/** The items of the releases, newest build first. Releases without a build number or a file for Macs are left out. */
export const appcastItems = (releases: readonly Release[], address: DownloadAddress): readonly AppcastItem[] => {
  const { compare } = sparkleOrder();
  return releases
    .flatMap((release) => {
      const { build } = release;
      return build === null ? [] : feedArtifacts(release).map((file) => itemOf(release, build, file, address));
    })
    .sort((a, b) => compare(b.version, a.version) || b.release_id - a.release_id);
};

export type FeedWish = {
  /**
   * Null: one feed of all channels. Otherwise the items of this and every more stable channel, without channel marks.
   */
  readonly channel: Channel | null;
  /** The end of the reader's update window; null is never. */
  readonly updates_until: Instant | null;
  /** Later releases and withdrawn ones are left out. */
  readonly now: Instant;
};

/** The feed of a product for one reader. */
export const appcastOf = (
  product: Product,
  releases: readonly Release[],
  { channel, updates_until, now }: FeedWish,
  link: string,
  address: DownloadAddress,
): Appcast => {
  const language = localeServed(product.name, 'en') ?? 'en';
  const offered = releases.filter(
    (release) =>
      isOffered(release, now) &&
      isCovered(release, updates_until) &&
      (channel === null || channelOffers(channel, release.channel)),
  );
  const items = appcastItems(offered, address);
  return {
    title: product.name[language] ?? product.slug,
    link,
    language,
    items: channel === null ? items : items.map((item) => ({ ...item, channel: null })),
  };
};
