import type { Product } from '../catalog/product.ts';
import type { Instant } from '../shared/instant.ts';
import { LOCALES, type Locale, localeServed } from '../shared/locale.ts';
import { formatContentType, formatOf } from './artifact-format.ts';
import type { Channel } from './channel.ts';
import { notesHtml } from './notes-html.ts';
import { type Artifact, type Delta, isCovered, type Release } from './release.ts';
import { inThreeParts, NO_TERMS, type SparkleTerms } from './sparkle-terms.ts';
import { sparkleOrder } from './version-order.ts';

/** A file that Sparkle downloads. */
export type Enclosure = {
  readonly url: string;
  /** Bytes. */
  readonly length: number;
  /** Media type. */
  readonly type: string;
  /** Ed25519 over the file, base64; null where it was published without a signing key. */
  readonly signature: string | null;
  /** Sparkle tells a bare installer package by the ending of its URL, which ours don't have; so it is said. */
  readonly installation_type: 'package' | null;
};

/** One `<item>`: a release for all Macs, or for those of one architecture. */
export type AppcastItem = Omit<SparkleTerms, 'release_notes_link'> & {
  readonly release_id: number;
  /** The build number, which Sparkle compares. */
  readonly version: string;
  /** What people call it. */
  readonly short_version: string;
  /** Null is Sparkle's default channel, on which every client is. */
  readonly channel: Channel | null;
  readonly published_at: Instant;
  /** Either these, or pages with them. */
  readonly notes: readonly { readonly locale: Locale; readonly html: string }[];
  readonly notes_links: readonly { readonly locale: Locale; readonly url: string }[];
  /** Made for Apple silicon alone, so that an Intel Mac passes over it. */
  readonly requires_arm64: boolean;
  readonly enclosure: Enclosure;
  readonly deltas: readonly (Enclosure & { readonly from_build: string })[];
};

/** A feed as Sparkle 2 reads it, before it is written as XML. */
export type Appcast = {
  readonly title: string;
  readonly link: string;
  readonly language: Locale;
  /** Newest first. */
  readonly items: readonly AppcastItem[];
};

/** Where a file of a release is downloaded; `delta` is the build that a patch is for, or null for the whole file. */
export type DownloadAddress = (release: Release, artifact: Artifact, delta: Delta | null) => string;

/**
 * The artifacts of a release that Macs are updated with: the one for every platform, which is a universal application;
 * without it one for each architecture, that for Apple silicon first. Of two items with the same build Sparkle takes the
 * first that fits: an Intel Mac can't take the first (from Sparkle 2.9 on), and Apple silicon never gets to the second.
 */
export const feedArtifacts = ({ artifacts }: Release): readonly Artifact[] => {
  const neutral = artifacts.filter(({ platform }) => platform === null);
  if (neutral.length > 0) return neutral;
  return (['darwin-arm64', 'darwin-amd64'] as const).flatMap((one) => artifacts.filter((a) => a.platform === one));
};

/** True where Sparkle can be told of the release. */
export const isInFeed = (release: Release): boolean => release.build !== null && feedArtifacts(release).length > 0;

const enclosureOf = (url: string, file: Omit<Delta, 'from_build'>): Enclosure => {
  const format = formatOf(file.filename);
  return {
    url,
    length: file.size,
    type: formatContentType(format),
    signature: file.signature,
    installation_type: format === 'pkg' ? 'package' : null,
  };
};

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
      const text = notes[locale];
      return text === null || release_notes_link ? [] : [{ locale, html: notesHtml(text) }];
    }),
    requires_arm64: artifact.platform === 'darwin-arm64',
    enclosure: enclosureOf(address(release, artifact, null), artifact),
    deltas: (artifact.deltas ?? []).map((delta) => ({
      from_build: delta.from_build,
      ...enclosureOf(address(release, artifact, delta), delta),
    })),
  };
};

/** The items of releases, newest first by build. Releases that Sparkle can't be told of are left out. */
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
  /** Null: the combined feed of all channels. Otherwise this one and stable, as one stream without channels. */
  readonly channel: string | null;
  /** Where the reader's update window ends; null is never. */
  readonly updates_until: Instant | null;
};

/** The feed of a product as one reader gets it. */
export const appcastOf = (
  product: Product,
  releases: readonly Release[],
  { channel, updates_until }: FeedWish,
  link: string,
  address: DownloadAddress,
): Appcast => {
  const language = localeServed(product.name, 'en') ?? 'en';
  const offered = releases.filter(
    (release) =>
      isCovered(release, updates_until) &&
      (channel === null || release.channel === channel || release.channel === 'stable'),
  );
  const items = appcastItems(offered, address);
  return {
    title: product.name[language] ?? product.slug,
    link,
    language,
    items: channel === null ? items : items.map((item) => ({ ...item, channel: null })),
  };
};
